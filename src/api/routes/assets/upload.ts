import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { type PutAsset, putAsset } from '../../../shared/domain/assets/put-asset.ts';
import { newId } from '../../../shared/ids.ts';
import type { ApiDeps } from '../../context.ts';
import type { ApiEnv } from '../../env.ts';
import { discardObject, keepIfWritten } from '../../http/keep-if-written.ts';
import type { Operation } from '../../http/operation.ts';
import { pictureForm, type ReceivedPicture, readPictureForm } from '../../receive-picture.ts';
import { header, idempotencyHeader, problemResponses } from '../schemas.ts';
import { assetSchema, mediaTypes, toAsset } from './asset.ts';

const content = { 'application/json': { schema: assetSchema } };
const headers = { Location: header('Address of the asset.') };

export const uploadAssetOperation: Operation = {
  route: {
    method: 'post',
    path: '/v1/assets',
    operationId: 'uploadAsset',
    summary: 'Upload asset',
    description:
      'Keeps a picture with the account: PNG, JPEG, GIF or SVG, told by its bytes. Data refers to it as `{"asset": "ast_…"}` or by its name, `{"asset": "logo.png"}`. A name is there once: a picture uploaded under a name that is there takes the place of the one before and keeps its id.',
    tags: ['Assets'],
    request: {
      headers: idempotencyHeader,
      body: { required: true, content: { 'multipart/form-data': { schema: pictureForm } } },
    },
    responses: {
      200: { description: 'The asset, with the new content.', headers, content },
      201: { description: 'The new asset.', headers, content },
      ...problemResponses(400, 402, 409),
    },
  },
  async handle(c, deps) {
    const place = deps.results.enter(c.get('accountId'));
    try {
      const received = await readPictureForm(c, deps);
      const { asset, isNew, replacedKey } = await store(c, deps, received);
      if (replacedKey !== undefined) await discardObject(deps, replacedKey);
      return c.json(toAsset(asset), isNew ? 201 : 200, { Location: `/v1/assets/${asset.id}` });
    } finally {
      place.leave();
    }
  },
};

async function store(c: Context<ApiEnv>, deps: ApiDeps, { name, file, found }: ReceivedPicture): Promise<PutAsset> {
  const accountId = c.get('accountId');
  const id = newId('ast');
  const checksum = createHash('sha256').update(file).digest('hex');
  const objectKey = `assets/${accountId}/${id}/${newId('upl')}.${found.type}`;
  await deps.objects.put(objectKey, file, mediaTypes[found.type]);
  const idempotencyKey = c.get('idempotencyKey');
  const key =
    idempotencyKey === undefined
      ? undefined
      : {
          key: idempotencyKey,
          operation: 'POST /v1/assets',
          requestHash: createHash('sha256').update(`${name}\0${checksum}`).digest('hex'),
          ttlSeconds: deps.config.RESULT_TTL_SECONDS,
        };
  const maxAssets = deps.config.ASSETS_PER_ACCOUNT;
  const input = { id, accountId, name, objectKey, sizeBytes: file.length, checksum, ...found, maxAssets };
  return keepIfWritten(deps, { objectKey }, async () => {
    const put = await putAsset(deps.db, input, key);
    return { ...put, isWritten: !put.isReplay };
  });
}
