import { z } from '@hono/zod-openapi';
import { renameTemplate } from '../../../shared/domain/templates/change-template.ts';
import { templatePrecondition, toEntityTag } from '../../http/conditional-request.ts';
import { parseRequest, pathId } from '../../http/parse-request.ts';
import { readJson } from '../../http/read-json.ts';
import type { Operation } from '../../operation.ts';
import { etagHeader, ifMatchHeader, problemResponses, templateIdParam } from '../common-schemas.ts';
import { templateMetadataSchema, templateName, toTemplateMetadata } from './template-resource.ts';

const body = z.strictObject({ name: templateName }).openapi('TemplateChanges');

export const updateTemplateOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'put',
    path: '/v1/templates/{id}',
    operationId: 'updateTemplate',
    summary: 'Update template metadata',
    description: 'Renames a template. Its content and its version stay.',
    tags: ['Templates'],
    request: {
      params: z.object({ id: templateIdParam }),
      headers: ifMatchHeader,
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      200: {
        description: 'The template.',
        headers: etagHeader,
        content: { 'application/json': { schema: templateMetadataSchema } },
      },
      ...problemResponses(400, 404, 412, 415),
    },
  },
  async handle(c, { db, json }) {
    const { value } = await readJson(c, json);
    const { name } = parseRequest(body, value);
    const precondition = templatePrecondition(c);
    const input = { accountId: c.get('accountId'), templateId: pathId(c), name, precondition };
    const template = await renameTemplate(db, input);
    return c.json(toTemplateMetadata(template), 200, { ETag: toEntityTag(template) });
  },
};
