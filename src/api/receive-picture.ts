import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { newId } from '../shared/ids.ts';
import { type PictureReply, pictureReply } from '../shared/queue/document-reply.ts';
import type { ApiDeps } from './context.ts';
import type { ApiEnv } from './env.ts';
import { assetName } from './http/asset-name.ts';
import { parseRequest } from './http/invalid-request.ts';
import { readUpload } from './http/read-upload.ts';
import { requireFile } from './receive-template.ts';

const maxPictureBytes = 5 * 1024 * 1024;
const uploadTtlSeconds = 300;
const form = z.object({ name: assetName });

export const pictureForm = z.object({
  name: assetName,
  file: z.string().openapi({
    type: 'string',
    format: 'binary',
    description: 'A PNG, JPEG, GIF or SVG of 5 MB and 50 million pixels at most.',
  }),
});

export interface ReceivedPicture {
  readonly name: string;
  readonly file: Buffer;
  readonly found: PictureReply;
}

/** Reads the form and has a worker look at the picture. Throws `invalid_request` that says what is wrong with which part. */
export async function readPictureForm(c: Context<ApiEnv>, deps: ApiDeps): Promise<ReceivedPicture> {
  const upload = await readUpload(c.req.raw, c.get('bodyLease'), { fileBytes: maxPictureBytes, sampleBytes: 0 });
  const { name } = parseRequest(form, { name: upload.name });
  const file = requireFile(upload.file);
  return { name, file, found: await inspectPicture(deps, file) };
}

async function inspectPicture({ transient, queues, results }: ApiDeps, file: Buffer): Promise<PictureReply> {
  const uploadId = newId('upl');
  try {
    return await results.inspection(uploadId, pictureReply, async () => {
      await transient.put('upload', uploadId, file, uploadTtlSeconds);
      await queues.add('inspect', uploadId, { uploadId, replyTo: results.channel, kind: 'picture' });
    });
  } finally {
    await transient.remove('upload', uploadId).catch(() => undefined);
  }
}
