import { hash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { AssetContent } from '../../../shared/domain/assets/asset-record.ts';
import { type PutAsset, putAsset } from '../../../shared/domain/assets/put-asset.ts';
import { newId } from '../../../shared/ids.ts';
import { pictureReply } from '../../../shared/queue/document-reply.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { inspectUpload } from '../../documents/inspect-upload.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { toChecksumTag } from '../../http/conditional-request.ts';
import { openBody } from '../../http/decode-body.ts';
import { discardObject, keepIfWritten } from '../../http/keep-if-written.ts';
import { parseRequest } from '../../http/parse-request.ts';
import { fileNameCharacter, hasAtMost, plainFileName } from '../../http/plain-text.ts';
import { readUpload, requireFile } from '../../http/read-upload.ts';
import { changeBy } from '../../http/require-scope.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { binary, etagHeader, header, idempotencyHeader, problemResponses } from '../common-schemas.ts';
import { assetSchema, mediaTypes, toAssetResource } from './asset-resource.ts';

const maxAssetBytes = 5 * 1024 * 1024;
const maxNameLength = 200;

/** A plain file name that can be sent in a header and cannot be mistaken for an id. */
const assetName = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : undefined) })
  .refine((name) => hasAtMost(name, maxNameLength), `is longer than ${maxNameLength} characters`)
  .refine((name) => name !== '' && name.trim() === name, 'must not be empty, nor begin or end with a space')
  .refine((name) => !/[/\\]/.test(name), 'must not contain a path')
  .refine((name) => plainFileName.test(name), 'must not contain control characters')
  .refine((name) => !/^ast_[0-9a-z]{26}$/.test(name), 'must not look like an id')
  .openapi({
    minLength: 1,
    maxLength: maxNameLength,
    pattern: `^(?!ast_[0-9a-z]{26}$)(?!\\s)(?![\\s\\S]*\\s$)${fileNameCharacter}+$`,
    example: 'logo.png',
    description: 'Name of the file, by which requests can refer to it.',
  });

const kind = z.enum(['picture', 'file'], 'must be picture or file').optional().openapi({
  description:
    '`picture` (the default) stores a picture, or a PDF, and rejects anything else. `file` stores any file, which requests can attach to documents and e-mails.',
});
const form = z.object({ name: assetName, kind });
const assetForm = form
  .extend({ file: binary('A file of at most 5 MB; a picture has at most 50 million pixels.') })
  .openapi('AssetUpload');
const content = { 'application/json': { schema: assetSchema } };
const headers = { Location: header('Address of the asset.'), ...etagHeader };

export const uploadAssetOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'post',
    path: '/v1/assets',
    operationId: 'uploadAsset',
    summary: 'Upload asset',
    description:
      'Stores a picture (PNG, JPEG, GIF or SVG) or a PDF in the account, detected from its bytes, or with `kind` file any other file. Requests refer to it by id, `{"asset": "ast_…"}`, or by name, `{"asset": "logo.png"}`. Names are unique: uploading an existing name replaces its file and keeps the id.',
    tags: ['Assets'],
    request: {
      headers: idempotencyHeader,
      body: { required: true, content: { 'multipart/form-data': { schema: assetForm } } },
    },
    responses: {
      200: { description: 'The asset, with the new content.', headers, content },
      201: { description: 'The new asset.', headers, content },
      ...problemResponses(400, 402, 409, 415),
    },
  },
  async handle(c, deps) {
    const permit = deps.waitingRequests.acquire(c.get('accountId'));
    try {
      const received = await receiveFile(c, deps);
      const { asset, isNew, replacedKey } = await store(c, deps, received);
      if (replacedKey !== undefined) await discardObject(deps, replacedKey);
      return c.json(toAssetResource(asset), isNew ? 201 : 200, {
        Location: `/v1/assets/${asset.id}`,
        ETag: toChecksumTag(asset.checksum),
      });
    } finally {
      permit.release();
    }
  },
};

interface ReceivedFile {
  readonly name: string;
  readonly file: Buffer;
  readonly properties: Pick<AssetContent, 'type' | 'widthPx' | 'heightPx'>;
}

/** Reads the form and has a worker check a picture. Throws `invalid_request` with the invalid part. */
async function receiveFile(c: Context<ApiEnv>, deps: ApiDeps): Promise<ReceivedFile> {
  const upload = await readUpload({ type: c.req.header('Content-Type'), body: openBody(c) }, c.get('bodyLease'), {
    fileBytes: maxAssetBytes,
  });
  const fields = { name: upload.name, ...(upload.kind !== undefined && { kind: upload.kind }) };
  const { name, kind: requested = 'picture' } = parseRequest(form, fields);
  const file = requireFile(upload.file);
  return { name, file, properties: await readProperties(deps, c.get('accountId'), { file, requested }) };
}

/** Has a worker check a picture. A PDF is checked when it is joined to a document; an attachment may be encrypted. */
async function readProperties(
  deps: ApiDeps,
  accountId: string,
  { file, requested }: { readonly file: Buffer; readonly requested: 'picture' | 'file' },
): Promise<ReceivedFile['properties']> {
  const isPdf = file.subarray(0, 5).toString('latin1') === '%PDF-';
  if (isPdf || requested === 'file') return { type: isPdf ? 'pdf' : 'file', widthPx: 0, heightPx: 0 };
  return inspectUpload(deps, accountId, file, { kind: 'picture', reply: pictureReply });
}

async function store(c: Context<ApiEnv>, deps: ApiDeps, { name, file, properties }: ReceivedFile): Promise<PutAsset> {
  const accountId = c.get('accountId');
  const id = newId('ast');
  const checksum = hash('sha256', file, 'hex');
  const objectKey = `assets/${accountId}/${id}/${newId('upl')}.${properties.type}`;
  await deps.objects.put(objectKey, file, mediaTypes[properties.type]);
  const requestHash = hash('sha256', `${name}\0${checksum}\0${properties.type}`, 'hex');
  const claim = idempotencyClaim(c, deps, 'POST /v1/assets', requestHash);
  const maxAssets = deps.config.ASSETS_PER_ACCOUNT;
  const input = { id, ...changeBy(c), name, objectKey, sizeBytes: file.length, checksum, ...properties, maxAssets };
  return keepIfWritten(deps, { objectKey }, async () => {
    const put = await putAsset(deps.db, input, claim);
    return { ...put, isWritten: !put.isReplay };
  });
}
