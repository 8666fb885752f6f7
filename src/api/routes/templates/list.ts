import { z } from '@hono/zod-openapi';
import { listTemplates } from '../../../shared/domain/templates/find-template.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { plainLine } from '../../http/plain-text.ts';
import type { Operation } from '../../operation.ts';
import { cursorParam, limitParam, nextPageHeader, problemResponses } from '../common-schemas.ts';
import { templateMetadataSchema, toTemplateMetadata } from './template-resource.ts';

const query = z.object({
  limit: limitParam,
  cursor: cursorParam,
  name: plainLine(1, 200)
    .optional()
    .openapi({ description: 'Only templates whose name contains this text, ignoring case.' }),
});

export const listTemplatesOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/templates',
    operationId: 'listTemplates',
    summary: 'List templates',
    description: 'All templates of the account, newest first. The `Link` header (RFC 8288) points to the next page.',
    tags: ['Templates'],
    request: { query },
    responses: {
      200: {
        description: 'Templates.',
        headers: nextPageHeader,
        content: { 'application/json': { schema: z.array(templateMetadataSchema).openapi('TemplateList') } },
      },
      ...problemResponses(400),
    },
  },
  async handle(c, { db, config }) {
    const { limit, cursor, name } = parseQuery(query, c);
    const before = parseCursor(cursor, 'tpl');
    const page = await listTemplates(db, { accountId: c.get('accountId'), limit, before, name });
    setNextLink(c, config.PUBLIC_URL, page.next);
    return c.json(page.templates.map(toTemplateMetadata));
  },
};
