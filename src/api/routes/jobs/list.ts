import { z } from '@hono/zod-openapi';
import { listDocuments } from '../../../shared/domain/documents/find-documents.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { checkTimeRange, timeRange } from '../../http/time-range.ts';
import type { Operation } from '../../operation.ts';
import {
  cursorParam,
  exampleId,
  limitParam,
  nextPageHeader,
  problemResponses,
  searchParam,
  templateIdQuery,
} from '../common-schemas.ts';
import { formatSchema, jobSchema, jobStatusSchema, toJobResource } from './job-resource.ts';

const query = z.object({
  limit: limitParam,
  cursor: cursorParam,
  status: jobStatusSchema.optional().openapi({ param: { description: 'Only jobs with this status.' } }),
  templateId: templateIdQuery,
  batchId: z
    .string()
    .regex(/^bat_[0-9a-z]{26}$/, 'must be the id of a batch')
    .optional()
    .openapi({ description: 'Only documents of this batch.', example: exampleId('bat') }),
  format: formatSchema.optional().openapi({ param: { description: 'Only documents of this format.' } }),
  test: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .openapi({ type: 'boolean', description: 'Only documents of test keys, or only those of other keys.' }),
  ...timeRange,
  search: searchParam('Only documents whose id, filename or recipient contains this text, in any case.'),
});

export const listJobsOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/jobs',
    operationId: 'listJobs',
    summary: 'List jobs',
    description:
      'All documents of the account, newest first. The `Link` header points to the next page. With `search`, `batchId`, `format` or `test`, a page can have fewer documents than the limit, or none, although more follow: only a page without `Link` is the last.',
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
    const { cursor, test, ...filter } = parseQuery(query, c);
    checkTimeRange(filter);
    const before = parseCursor(cursor, 'doc');
    const page = await listDocuments(db, { accountId: c.get('accountId'), ...filter, isTest: test, before });
    setNextLink(c, config.PUBLIC_URL, page.next);
    return c.json(page.documents.map(toJobResource));
  },
};
