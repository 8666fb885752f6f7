import { Readable } from 'node:stream';
import { z } from '@hono/zod-openapi';
import { accepts } from 'hono/accepts';
import { type BundleRecord, findOwnBundle } from '../../../shared/domain/batches/find-bundle.ts';
import { listBundleRows } from '../../../shared/domain/batches/list-rows.ts';
import { manifestCsv, manifestJson, toManifest } from '../../../shared/domain/batches/manifest.ts';
import { contentDisposition } from '../../documents/output-filename.ts';
import { notModified } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { etagHeader, idParam, notModifiedResponse, problemResponses, readPreconditions } from '../common-schemas.ts';
import { jobStatusSchema } from '../jobs/job-resource.ts';

const id = idParam('bat', 'Id of the batch.');

const entry = z
  .object({
    row: z.number().int().openapi({ description: 'Counted from 1, in the order of the request.' }),
    file: z.string().optional().openapi({ description: 'Name of the file, also inside the zip.' }),
    status: jobStatusSchema,
    checksum: z.string().optional().openapi({ description: 'SHA-256 of the file, hex.' }),
    size: z.number().int().optional().openapi({ description: 'Size of the file in bytes.' }),
    pages: z.number().int().optional().openapi({ description: 'Pages of a PDF.' }),
    error: z.string().optional().openapi({ description: 'Why the row failed.' }),
    jobId: z.string().openapi({ description: 'The row as a job: `/v1/jobs/{jobId}`.' }),
  })
  .openapi('BatchManifestEntry');

const types = { json: 'application/json', csv: 'text/csv' } as const;

export const getBatchManifestOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/batches/{id}/manifest',
    operationId: 'getBatchManifest',
    summary: 'Get the manifest of a batch',
    description:
      'All rows of the batch in the order of the request, even before the batch has ended: as JSON, or as CSV with a header line for `Accept: text/csv`. The CSV columns are the JSON fields. Has an `ETag` once the batch is completed; `Range` is ignored.',
    tags: ['Batches'],
    request: { params: z.object({ id }), headers: readPreconditions },
    responses: {
      200: {
        description: 'The rows.',
        headers: { ETag: { ...etagHeader.ETag, required: false } },
        content: {
          [types.json]: { schema: z.array(entry).openapi('BatchManifest') },
          [types.csv]: {
            schema: z
              .string()
              .openapi({ description: 'One line for each row, after a line with the names of the columns.' }),
          },
        },
      },
      ...notModifiedResponse,
      ...problemResponses(404, 412),
    },
  },
  async handle(c, { db }) {
    const batch = await findOwnBundle(db, c.get('accountId'), pathId(c));
    const supports = [types.json, types.csv];
    const isCsv = accepts(c, { header: 'Accept', supports, default: types.json }) === types.csv;
    const etag = manifestTag(batch, isCsv);
    const unchanged = etag === undefined ? undefined : notModified(c, etag);
    if (unchanged !== undefined) return unchanged;
    const entries = toManifest(listBundleRows(db, batch.id));
    const chunks = isCsv ? manifestCsv(entries) : manifestJson(entries);
    const isHead = c.req.method === 'HEAD';
    const body = isHead ? null : (Readable.toWeb(Readable.from(chunks, { objectMode: false })) as ReadableStream);
    const stem = batch.bundleName.replace(/\.(zip|pdf)$/i, '');
    return c.newResponse(body, 200, {
      'Content-Type': isCsv ? `${types.csv}; charset=utf-8; header=present` : types.json,
      ...(isCsv && { 'Content-Disposition': contentDisposition(`${stem}-manifest.csv`) }),
      ...(etag !== undefined && { ETag: etag }),
      Vary: 'Accept',
    });
  },
};

/**
 * Undefined unless the batch is completed: rows of others may still change. The tag changes with a retry, because the
 * batch then completes at another time.
 */
function manifestTag({ status, finishedAt }: BundleRecord, isCsv: boolean): string | undefined {
  if (status !== 'completed' || finishedAt === undefined) return undefined;
  return `"${finishedAt.getTime()}-${isCsv ? 'csv' : 'json'}"`;
}
