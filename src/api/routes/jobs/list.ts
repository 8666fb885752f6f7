import { z } from '@hono/zod-openapi';
import { listGenerations } from '../../../shared/domain/generations/find-generations.ts';
import { storableText } from '../../../shared/storable-text.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import type { Operation } from '../../http/operation.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { cursorParam, limitParam, nextPageHeader, problemResponses, templateIdQuery } from '../common-schemas.ts';
import { jobSchema, jobStatusSchema, toJobResource } from './job-resource.ts';

const query = z.object({
  limit: limitParam,
  cursor: cursorParam,
  status: jobStatusSchema.optional().openapi({ param: { description: 'Only jobs with this status.' } }),
  templateId: templateIdQuery,
  search: z
    .string()
    .min(2)
    .max(320)
    .transform(storableText)
    .optional()
    .openapi({
      param: { description: 'Only documents whose id, filename or recipient contains this text, in any case.' },
      example: 'ada@example.com',
    }),
});

export const listJobsOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'get',
    path: '/v1/jobs',
    operationId: 'listJobs',
    summary: 'List jobs',
    description:
      'All documents of the account, newest first. The `Link` header points to the next page. A page of a search can have fewer documents than the limit, or none, although more follow: only a page without `Link` is the last.',
    tags: ['Jobs'],
    request: { query },
    responses: {
      200: {
        description: 'Jobs.',
        headers: nextPageHeader,
        content: { 'application/json': { schema: z.array(jobSchema).openapi('JobList') } },
      },
      ...problemResponses(400),
    },
  },
  async handle(c, { db, config }) {
    const { cursor, ...filter } = parseQuery(query, c);
    const before = parseCursor(cursor, 'doc');
    const page = await listGenerations(db, { accountId: c.get('accountId'), ...filter, before });
    setNextLink(c, config.PUBLIC_URL, page.next);
    return c.json(page.generations.map(toJobResource));
  },
};
