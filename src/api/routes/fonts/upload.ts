import { hash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type PutFont, putFont } from '../../../shared/domain/fonts/put-font.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { type FontReply, fontReply } from '../../../shared/queue/document-reply.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { inspectUpload } from '../../documents/inspect-upload.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { toChecksumTag } from '../../http/conditional-request.ts';
import { openBody } from '../../http/decode-body.ts';
import { keepIfWritten } from '../../http/keep-if-written.ts';
import { optionalField } from '../../http/optional-field.ts';
import { parseRequest } from '../../http/parse-request.ts';
import { plainLine } from '../../http/plain-text.ts';
import { readUpload, requireFile } from '../../http/read-upload.ts';
import { changeBy } from '../../http/require-scope.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { binary, etagHeader, header, idempotencyHeader, problemResponses } from '../common-schemas.ts';
import { accountFontSchema, toAccountFontResource } from './account-font-resource.ts';

const maxFontBytes = 10 * 1024 * 1024;
const mebibyte = 1024 * 1024;

const form = z.object({
  name: optionalField(plainLine(1, 200)).openapi({
    description: 'A name for lists. Default: the full name inside the font.',
    example: 'Corporate font, bold',
  }),
});
const fontForm = form
  .extend({ file: binary('A TrueType or OpenType font (.ttf, .otf) of at most 10 MB.') })
  .openapi('FontUpload');
const content = { 'application/json': { schema: accountFontSchema } };
const headers = { Location: header('Address of the font.'), ...etagHeader };

export const uploadFontOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'post',
    path: '/v1/fonts',
    operationId: 'uploadFont',
    summary: 'Upload font',
    description:
      'Stores a TrueType or OpenType font for the PDFs of the account. A document uses it where it names its family. Uploading a family and style that exist replaces the font and keeps the id; documents accepted before still use the replaced one. The same file again changes only its name. Refused: fonts whose licence forbids embedding them.',
    tags: ['Fonts'],
    request: {
      headers: idempotencyHeader,
      body: { required: true, content: { 'multipart/form-data': { schema: fontForm } } },
    },
    responses: {
      200: { description: 'The font, with the new content.', headers, content },
      201: { description: 'The new font.', headers, content },
      ...problemResponses(400, 402, 409, 415),
    },
  },
  async handle(c, deps) {
    const permit = deps.waitingRequests.acquire(c.get('accountId'));
    try {
      const received = await receiveFont(c, deps);
      const { font, isNew } = await store(c, deps, received);
      return c.json(toAccountFontResource(font), isNew ? 201 : 200, {
        Location: `/v1/fonts/${font.id}`,
        ETag: toChecksumTag(font.checksum),
      });
    } finally {
      permit.release();
    }
  },
};

interface ReceivedFont {
  readonly name: string | undefined;
  readonly file: Buffer;
  readonly font: Omit<FontReply, 'cleanUploadId'>;
  /** The rebuilt font, as conversions use it. */
  readonly clean: Buffer;
}

/** Reads the form and has a worker check and rebuild the font. Throws `invalid_request` with the invalid part. */
async function receiveFont(c: Context<ApiEnv>, deps: ApiDeps): Promise<ReceivedFont> {
  const upload = await readUpload({ type: c.req.header('Content-Type'), body: openBody(c) }, c.get('bodyLease'), {
    fileBytes: maxFontBytes,
  });
  const { name } = parseRequest(form, { name: upload.name });
  const file = requireFile(upload.file);
  const accountId = c.get('accountId');
  const { cleanUploadId, ...font } = await inspectUpload(deps, accountId, file, { kind: 'font', reply: fontReply });
  const clean = await deps.transient.get('upload', cleanUploadId);
  deps.transient.of(accountId).forget('upload', cleanUploadId);
  if (clean === undefined) throw new AppError('unavailable', 'The upload was lost. Send it again.');
  return { name, file, font, clean };
}

async function store(c: Context<ApiEnv>, deps: ApiDeps, { name, file, font, clean }: ReceivedFont): Promise<PutFont> {
  const accountId = c.get('accountId');
  const id = newId('fnt');
  const checksum = sha256(file);
  const objectKey = `fonts/${accountId}/${id}/${newId('upl')}.${font.format === 'truetype' ? 'ttf' : 'otf'}`;
  await deps.objects.put(objectKey, clean, `font/${font.format === 'truetype' ? 'ttf' : 'otf'}`);
  const claim = idempotencyClaim(c, deps, 'POST /v1/fonts', sha256(`${name ?? ''}\0${checksum}`));
  const input = {
    id,
    ...changeBy(c),
    name: name ?? font.fullName,
    ...font,
    objectKey,
    objectChecksum: sha256(clean),
    sizeBytes: file.length,
    checksum,
    maxFonts: deps.config.FONTS_PER_ACCOUNT,
    maxTotalBytes: deps.config.FONT_MB_PER_ACCOUNT * mebibyte,
  };
  return keepIfWritten(deps, { objectKey }, async () => {
    const put = await putFont(deps.db, input, claim);
    // If this request repeats another or uploads the same file, the font keeps its existing object.
    return { ...put, isWritten: put.font.objectKey === objectKey };
  });
}

function sha256(content: Buffer | string): string {
  return hash('sha256', content, 'hex');
}
