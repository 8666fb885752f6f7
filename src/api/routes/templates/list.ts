import { z } from '@hono/zod-openapi';
import { listTemplates } from '../../../shared/domain/templates/list-templates.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseRequest } from '../../http/invalid-request.ts';
import type { Operation } from '../../http/operation.ts';
import { plainLine } from '../../http/plain-text.ts';
import { header, problemResponses } from '../schemas.ts';
import { templateMetadataSchema, toTemplateMetadata } from './metadata.ts';

const query = z.object({
  limit: z.coerce.number('must be a number').int('must be a whole number').min(1).max(1000).default(100).openapi({
    description: 'Templates on a page.',
  }),
  cursor: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: 'Where the page before ended; taken from its `Link` header.' }),
  name: plainLine(1, 200)
    .optional()
    .openapi({ description: 'Only templates whose name holds this text, in any case.' }),
});

export const listTemplatesOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/templates',
    operationId: 'listTemplates',
    summary: 'List templates',
    description: 'All templates of the account, newest first. The next page is in the `Link` header (RFC 8288).',
    tags: ['Templates'],
    request: { query },
    responses: {
      200: {
        description: 'Templates.',
        headers: { Link: { ...header('The next page, when there is one (RFC 8288).'), required: false } },
        content: { 'application/json': { schema: z.array(templateMetadataSchema) } },
      },
      ...problemResponses(400),
    },
  },
  async handle(c, { db, config }) {
    const { limit, cursor, name } = parseRequest(query, c.req.query());
    const before = parseCursor(cursor, 'tpl');
    const page = await listTemplates(db, { accountId: c.get('accountId'), limit, before, name });
    setNextLink(c, config.PUBLIC_URL, page.next);
    return c.json(page.templates.map(toTemplateMetadata));
  },
};
