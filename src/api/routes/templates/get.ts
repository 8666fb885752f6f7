import { z } from '@hono/zod-openapi';
import { findTemplate } from '../../../shared/domain/templates/find-template.ts';
import { toEntityTag } from '../../http/conditional-request.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/parse-request.ts';
import { problemResponses, templateIdParam } from '../common-schemas.ts';
import { templateDetailSchema, toTemplateDetail } from './template-resource.ts';

export const getTemplateOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/templates/{id}',
    operationId: 'getTemplate',
    summary: 'Get template',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }) },
    responses: {
      200: { description: 'The template.', content: { 'application/json': { schema: templateDetailSchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, { db, fonts }) {
    const template = await findTemplate(db, c.get('accountId'), pathId(c));
    return c.json(toTemplateDetail(template, await fonts.report(template.fonts)), 200, { ETag: toEntityTag(template) });
  },
};
