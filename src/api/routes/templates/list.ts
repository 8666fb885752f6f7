import { z } from '@hono/zod-openapi';
import { listTemplates } from '../../../shared/domain/templates/list-templates.ts';
import type { Operation } from '../../operation.ts';
import { invalidField, parseRequest } from '../../request/invalid-request.ts';
import { plainLine } from '../../request/plain-text.ts';
import { problemResponses } from '../schemas.ts';
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
      200: { description: 'Templates.', content: { 'application/json': { schema: z.array(templateMetadataSchema) } } },
      ...problemResponses(400),
    },
  },
  async handle(c, { db, config }) {
    const { limit, cursor, name } = parseRequest(query, c.req.query());
    const before = cursor === undefined ? undefined : parseCursor(cursor);
    const page = await listTemplates(db, { accountId: c.get('accountId'), limit, before, name });
    if (page.next !== undefined) {
      const next = new URL('/v1/templates', config.PUBLIC_URL ?? c.req.url);
      next.searchParams.set('limit', String(limit));
      if (name !== undefined) next.searchParams.set('name', name);
      next.searchParams.set('cursor', Buffer.from(page.next).toString('base64url'));
      c.header('Link', `<${next.href}>; rel="next"`);
    }
    return c.json(page.templates.map(toTemplateMetadata));
  },
};

function parseCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!/^tpl_[0-9a-z]{26}$/.test(id)) throw invalidField('cursor', 'is not a cursor of this list');
  return id;
}
