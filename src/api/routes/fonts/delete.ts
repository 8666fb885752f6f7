import { z } from '@hono/zod-openapi';
import { withLock } from '../../../shared/domain/accounts/lock-for-change.ts';
import { removeFont } from '../../../shared/domain/fonts/remove-font.ts';
import { checksumPrecondition } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import { changeBy } from '../../http/require-scope.ts';
import type { Operation } from '../../operation.ts';
import { ifMatchHeader, problemResponses } from '../common-schemas.ts';
import { fontIdParam } from './account-font-resource.ts';

export const deleteFontOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'delete',
    path: '/v1/fonts/{id}',
    operationId: 'deleteFont',
    summary: 'Delete font',
    description:
      'Documents accepted from now on print another font. Those accepted before still use it; its file is removed when they have finished.',
    tags: ['Fonts'],
    request: { params: z.object({ id: fontIdParam }), headers: ifMatchHeader },
    responses: { 204: { description: 'Deleted.' }, ...problemResponses(400, 404, 412) },
  },
  async handle(c, { db }) {
    const precondition = checksumPrecondition(c);
    await withLock(db, changeBy(c), (tx) => removeFont(tx, c.get('accountId'), pathId(c), precondition));
    return c.body(null, 204);
  },
};
