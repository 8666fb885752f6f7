import { z } from '@hono/zod-openapi';
import { findAsset } from '../../../shared/domain/assets/find-asset.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { problemResponses } from '../schemas.ts';
import { assetIdParam, assetSchema, toAsset } from './asset.ts';

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
    return c.json(toAsset(await findAsset(db, c.get('accountId'), pathId(c))));
  },
};
