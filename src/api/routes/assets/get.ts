import { z } from '@hono/zod-openapi';
import { findAsset } from '../../../shared/domain/assets/find-assets.ts';
import { notModified, toChecksumTag } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { etagHeader, notModifiedResponse, problemResponses, readPreconditions } from '../common-schemas.ts';
import { assetIdParam, assetSchema, toAssetResource } from './asset-resource.ts';

export const getAssetOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/assets/{id}',
    operationId: 'getAsset',
    summary: 'Get asset',
    description: 'A picture of the account, without its content.',
    tags: ['Assets'],
    request: { params: z.object({ id: assetIdParam }), headers: readPreconditions },
    responses: {
      200: {
        description: 'The asset.',
        headers: etagHeader,
        content: { 'application/json': { schema: assetSchema } },
      },
      ...notModifiedResponse,
      ...problemResponses(404, 412),
    },
  },
  async handle(c, { db }) {
    const asset = await findAsset(db, c.get('accountId'), pathId(c));
    const etag = toChecksumTag(asset.checksum);
    return notModified(c, etag) ?? c.json(toAssetResource(asset), 200, { ETag: etag });
  },
};
