import { z } from '@hono/zod-openapi';
import { removeTemplate } from '../../../shared/domain/templates/remove-template.ts';
import { templatePrecondition } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { ifMatchHeader, problemResponses, templateIdParam } from '../common-schemas.ts';

export const deleteTemplateOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'delete',
    path: '/v1/templates/{id}',
    operationId: 'deleteTemplate',
    summary: 'Delete template',
    description: 'Documents that are already accepted are still produced. Releases one template of the quota at once.',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }), headers: ifMatchHeader },
    responses: { 204: { description: 'Deleted.' }, ...problemResponses(400, 404, 412) },
  },
  async handle(c, { db }) {
    const precondition = templatePrecondition(c);
    await removeTemplate(db, c.get('accountId'), pathId(c), precondition);
    return c.body(null, 204);
  },
};
