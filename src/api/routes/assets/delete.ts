import { z } from '@hono/zod-openapi';
import { withLock } from '../../../shared/domain/accounts/lock-for-change.ts';
import { removeAsset } from '../../../shared/domain/assets/remove-asset.ts';
import { checksumPrecondition } from '../../http/conditional-request.ts';
import { discardObject } from '../../http/keep-if-written.ts';
import { pathId } from '../../http/parse-request.ts';
import { changeBy } from '../../http/require-scope.ts';
import type { Operation } from '../../operation.ts';
import { ifMatchHeader, problemResponses } from '../common-schemas.ts';
import { assetIdParam } from './asset-resource.ts';

export const deleteAssetOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'delete',
    path: '/v1/assets/{id}',
    operationId: 'deleteAsset',
    summary: 'Delete asset',
    description:
      'Takes effect at once: an unfinished document whose data refers to the asset fails with an error that names it, and is refunded.',
    tags: ['Assets'],
    request: { params: z.object({ id: assetIdParam }), headers: ifMatchHeader },
    responses: { 204: { description: 'Deleted.' }, ...problemResponses(400, 404, 412) },
  },
  async handle(c, deps) {
    const precondition = checksumPrecondition(c);
    const objectKey = await withLock(deps.db, changeBy(c), (tx) =>
      removeAsset(tx, c.get('accountId'), pathId(c), precondition),
    );
    await discardObject(deps, objectKey);
    return c.body(null, 204);
  },
};
