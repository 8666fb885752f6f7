import { z } from '@hono/zod-openapi';
import { removeAsset } from '../../../shared/domain/assets/remove-asset.ts';
import { discardObject } from '../../http/keep-if-written.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { problemResponses } from '../schemas.ts';
import { assetIdParam } from './asset.ts';

export const removeAssetOperation: Operation = {
  route: {
    method: 'delete',
    path: '/v1/assets/{id}',
    operationId: 'deleteAsset',
    summary: 'Delete asset',
    description:
      'At once: a document under way whose data refers to it fails with an error that names it, and is given back.',
    tags: ['Assets'],
    request: { params: z.object({ id: assetIdParam }) },
    responses: { 204: { description: 'Deleted.' }, ...problemResponses(404) },
  },
  async handle(c, deps) {
    const objectKey = await removeAsset(deps.db, c.get('accountId'), pathId(c));
    await discardObject(deps, objectKey);
    return c.body(null, 204);
  },
};
