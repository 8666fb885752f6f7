import { z } from '@hono/zod-openapi';
import { findSchema } from '../../../shared/domain/templates/find-template.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses, templateIdParam, versionQuery } from '../common-schemas.ts';

const query = z.object({
  version: versionQuery,
});

const schemaResponse = z
  .object({
    schema: z.record(z.string(), z.unknown()).openapi({ description: 'JSON Schema (2020-12) of `data`.' }),
    stated: z.record(z.string(), z.unknown()).nullable().openapi({
      description: 'The part of the schema that the author stated at upload; null if nothing was stated.',
    }),
    invoiceMap: z.record(z.string(), z.unknown()).nullable().openapi({
      description: 'The invoice mapping of the version; null if there is none.',
    }),
    example: z.unknown().openapi({ description: 'Data that fits the schema and fills the template.' }),
  })
  .openapi('TemplateSchema');

export const getTemplateSchemaOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/templates/{id}/schema',
    operationId: 'getTemplateSchema',
    summary: 'Get schema',
    description:
      'The data that the template expects, derived from its tags and from what its author stated, sample data, and the mapping to an electronic invoice.',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }), query },
    responses: {
      200: { description: 'Schema and example.', content: { 'application/json': { schema: schemaResponse } } },
      ...problemResponses(400, 404),
    },
  },
  async handle(c, { db }) {
    const { version } = parseQuery(query, c);
    const found = await findSchema(db, { accountId: c.get('accountId'), templateId: pathId(c), version });
    const invoiceMap: unknown = found.invoiceMap === null ? null : JSON.parse(found.invoiceMap);
    return c.json({ ...found, invoiceMap });
  },
};
