import { z } from '@hono/zod-openapi';
import { findAsset } from '../../../shared/domain/assets/find-assets.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/parse-request.ts';
import { problemResponses } from '../common-schemas.ts';
import { assetIdParam, assetSchema, toAssetResource } from './asset-resource.ts';

export const getAssetOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/assets/{id}',
    operationId: 'getAsset',
    summary: 'Get asset',
    tags: ['Assets'],
    request: { params: z.object({ id: assetIdParam }) },
    responses: {
      200: { description: 'The asset.', content: { 'application/json': { schema: assetSchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, { db }) {
    return c.json(toAssetResource(await findAsset(db, c.get('accountId'), pathId(c))));
  },
};
