import { z } from '@hono/zod-openapi';
import { renameTemplate } from '../../../shared/domain/templates/rename-template.ts';
import type { Operation } from '../../operation.ts';
import { parseRequest } from '../../request/invalid-request.ts';
import { pathId } from '../../request/path-id.ts';
import { readJson } from '../../request/read-json.ts';
import { templateName } from '../../request/template-name.ts';
import { problemResponses, templateIdParam } from '../schemas.ts';
import { templateMetadataSchema, toTemplateMetadata } from './metadata.ts';

const body = z.strictObject({ name: templateName });

export const updateTemplateOperation: Operation = {
  route: {
    method: 'put',
    path: '/v1/templates/{id}',
    operationId: 'updateTemplate',
    summary: 'Update template metadata',
    tags: ['Templates'],
    request: {
      params: z.object({ id: templateIdParam }),
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      200: { description: 'The template.', content: { 'application/json': { schema: templateMetadataSchema } } },
      ...problemResponses(400, 404),
    },
  },
  async handle(c, { db }) {
    const { value } = await readJson(c.req.raw, c.get('bodyLease'));
    const { name } = parseRequest(body, value);
    const input = { accountId: c.get('accountId'), templateId: pathId(c), name };
    return c.json(toTemplateMetadata(await renameTemplate(db, input)));
  },
};
