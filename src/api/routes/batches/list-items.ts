import { z } from '@hono/zod-openapi';
import { findBatch } from '../../../shared/domain/batches/find-batches.ts';
import { type BatchItem, listItems } from '../../../shared/domain/batches/list-rows.ts';
import { setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { invalidField, pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { cursorParam, errorSchema, limitParam, nextPageHeader, problemResponses } from '../common-schemas.ts';
import { jobStatusSchema } from '../jobs/job-resource.ts';
import { batchIdParam, toRowError } from './batch-resource.ts';

const query = z.object({
  limit: limitParam,
  cursor: cursorParam,
  status: jobStatusSchema.optional().openapi({ param: { description: 'Only rows with this status.' } }),
});

const itemSchema = z
  .object({
    row: z.number().int().openapi({ description: 'Counted from 1, in the order of the request.' }),
    jobId: z.string().openapi({ description: 'The row as a job: `/v1/jobs/{id}`.' }),
    status: jobStatusSchema,
    filename: z.string().openapi({ description: 'Name of the file.' }),
    size: z.number().int().optional().openapi({ description: 'Size of the file in bytes.' }),
    error: errorSchema.optional(),
  })
  .openapi('BatchRow');

export const listBatchItemsOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/batches/{id}/items',
    operationId: 'listBatchItems',
    summary: 'List rows of a batch',
    description: 'In the order of the request. `status=failed` lists the failed rows with their errors.',
    tags: ['Batches'],
    request: { params: z.object({ id: batchIdParam }), query },
    responses: {
      200: {
        description: 'Rows.',
        headers: nextPageHeader,
        content: { 'application/json': { schema: z.array(itemSchema).openapi('BatchRowList') } },
      },
      ...problemResponses(400, 404),
    },
  },
  async handle(c, { db, config }) {
    const { cursor, ...filter } = parseQuery(query, c);
    const after = parseRowCursor(cursor);
    const batch = await findBatch(db, c.get('accountId'), pathId(c));
    const page = await listItems(db, { batchId: batch.id, ...filter, after });
    setNextLink(c, config.PUBLIC_URL, page.next === undefined ? undefined : `row_${page.next}`);
    return c.json(page.items.map(toItem));
  },
};

function parseRowCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const row = /^row_(\d{1,6})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  if (row === undefined) throw invalidField('cursor', 'is not a cursor of this list');
  return Number(row);
}

function toItem({ row, documentId, status, filename, sizeBytes, error }: BatchItem): z.infer<typeof itemSchema> {
  return {
    row,
    jobId: documentId,
    status,
    filename,
    ...(sizeBytes !== undefined && { size: sizeBytes }),
    ...(error !== undefined && { error: toRowError(error) }),
  };
}
