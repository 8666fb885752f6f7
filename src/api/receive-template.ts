import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { TemplateContent } from '../shared/domain/templates/template-record.ts';
import { newId } from '../shared/ids.ts';
import type { JobPayload } from '../shared/queue/contracts.ts';
import { type InspectionReply, inspectionReply } from '../shared/queue/document-reply.ts';
import { docxType } from '../shared/storage/content-types.ts';
import type { ApiDeps } from './context.ts';
import type { ApiEnv } from './env.ts';
import { invalidField, parseRequest } from './http/invalid-request.ts';
import { maxJsonBytes } from './http/read-json.ts';
import { maxTemplateBytes, readUpload } from './http/read-upload.ts';
import { templateName } from './http/template-name.ts';

const uploadTtlSeconds = 300;
const form = z.object({ name: templateName });
const validationLimits = { fileBytes: maxTemplateBytes, sampleBytes: maxJsonBytes };

/** The form of upload and re-upload, for the reference; the same rules are applied while it streams in. */
export const templateForm = z.object({
  name: templateName,
  file: z.string().openapi({ type: 'string', format: 'binary', description: 'The Word template, 10 MB at most.' }),
});

export interface ReceivedFile {
  readonly file: Buffer;
}

export interface ReceivedTemplate extends ReceivedFile {
  readonly name: string;
  readonly checksum: string;
  readonly requestHash: string;
}

/** Reads the form and checks what can be checked without opening the file. */
export async function readTemplateForm(c: Context<ApiEnv>): Promise<ReceivedTemplate> {
  const upload = await readUpload(c.req.raw, c.get('bodyLease'));
  const { name } = parseRequest(form, { name: upload.name });
  const file = requireFile(upload.file);
  const checksum = createHash('sha256').update(file).digest('hex');
  const requestHash = createHash('sha256').update(`${name}\0${checksum}`).digest('hex');
  return { name, file, checksum, requestHash };
}

/** As `readTemplateForm`, for a template that is only looked at: its name may be left out, and data may come with it. */
export async function readValidationForm(c: Context<ApiEnv>): Promise<ReceivedFile & { sampleData?: Buffer }> {
  const { name, file, ...rest } = await readUpload(c.req.raw, c.get('bodyLease'), validationLimits);
  parseRequest(form.partial(), { name });
  return { file: requireFile(file), ...rest };
}

/** The file of a form; throws `invalid_request` when it is missing or empty. */
export function requireFile(file: Buffer | undefined): Buffer {
  if (file === undefined) throw invalidField('file', 'is missing');
  if (file.length === 0) throw invalidField('file', 'is empty');
  return file;
}

/** Language, time zone, and what becomes of missing values, as in generate. */
export type SampleOptions = NonNullable<JobPayload<'inspect'>['sampleOptions']>;

/** Data to try a template with, as raw JSON; the account's assets may stand in it. */
export interface SampleData {
  readonly accountId: string;
  readonly data: Buffer;
  readonly options: SampleOptions;
}

/**
 * Has a worker open the file and read its tags, and fill it when there is sample data; throws what it found wrong. Nothing
 * is stored beyond this call: what a crash leaves in Redis expires within minutes.
 */
export async function inspectTemplate(
  deps: ApiDeps,
  received: ReceivedFile,
  sample?: SampleData,
): Promise<InspectionReply> {
  const { transient, queues, results } = deps;
  const uploadId = newId('upl');
  try {
    return await results.inspection(uploadId, inspectionReply, async () => {
      if (sample !== undefined) await transient.put('data', uploadId, sample.data, uploadTtlSeconds);
      await transient.put('upload', uploadId, received.file, uploadTtlSeconds);
      const filled = sample === undefined ? {} : { sampleOf: sample.accountId, sampleOptions: sample.options };
      await queues.add('inspect', uploadId, { uploadId, replyTo: results.channel, ...filled });
    });
  } finally {
    await transient.remove('upload', uploadId).catch(() => undefined);
    if (sample !== undefined) await transient.remove('data', uploadId).catch(() => undefined);
  }
}

/** Stores the bytes under a key of their own; the caller removes them again when the row is not written. */
export async function storeTemplate(
  deps: ApiDeps,
  received: ReceivedTemplate,
  found: InspectionReply,
  place: { readonly accountId: string; readonly templateId: string },
): Promise<TemplateContent> {
  const objectKey = `templates/${place.accountId}/${place.templateId}/${newId('upl')}.docx`;
  await deps.objects.put(objectKey, received.file, docxType);
  // failpoint: after-object-put-before-row
  return {
    objectKey,
    sizeBytes: received.file.length,
    checksum: received.checksum,
    tags: found.tags,
    fonts: found.fonts,
    schema: found.schema,
    example: found.example,
  };
}
