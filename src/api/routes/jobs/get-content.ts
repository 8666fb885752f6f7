import { z } from '@hono/zod-openapi';
import type { ResultLocation } from '../../../shared/domain/documents/document-record.ts';
import { findOwnDocument } from '../../../shared/domain/documents/find-documents.ts';
import { AppError } from '../../../shared/errors.ts';
import { contentTypeOf, docxType, pdfType, xmlType } from '../../../shared/storage/media-types.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { contentDisposition, toSafeFilename } from '../../documents/output-filename.ts';
import { toChecksumTag } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import { bytesOf, sendFile } from '../../http/send-file.ts';
import type { Operation } from '../../operation.ts';
import { downloadHeaders, fileResponses, problemResponses } from '../common-schemas.ts';
import { jobIdParam } from './job-resource.ts';

export const getJobContentOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/jobs/{id}/content',
    operationId: 'getJobContent',
    summary: 'Download the file of a job',
    description: 'Can be downloaded any number of times until the job expires. Supports `Range` and `If-Range`.',
    tags: ['Jobs'],
    request: { params: z.object({ id: jobIdParam }), headers: downloadHeaders },
    responses: { ...fileResponses([docxType, pdfType, xmlType]), ...problemResponses(404, 409, 412, 416) },
  },
  async handle(c, deps) {
    const job = await findOwnDocument(deps.db, c.get('accountId'), pathId(c));
    if (job.status === 'queued' || job.status === 'running') {
      throw new AppError('conflict', `The job is ${job.status}; its file does not exist yet`, { retryAfterSeconds: 1 });
    }
    const bytes = await readFile(deps, job.result);
    if (job.result === undefined || bytes === undefined) throw noFile(job.status);
    return sendFile(c, {
      etag: toChecksumTag(job.result.checksum),
      sizeBytes: bytes.length,
      headers: {
        'Content-Type': contentTypeOf(job.format),
        'Content-Disposition': contentDisposition(toSafeFilename(job.filename, job.format)),
      },
      read: async (range) => bytesOf(bytes, range),
    });
  },
};

/** Reads a stored file. One that is not kept stays in Redis for some minutes, for clients whose request timed out. */
async function readFile({ objects, transient }: ApiDeps, result: ResultLocation | undefined) {
  if (result === undefined) return undefined;
  return result.store === 'object' ? objects.get(result.key, result.checksum) : transient.get('result', result.key);
}

function noFile(status: string): AppError {
  return status === 'succeeded'
    ? new AppError('not_found', 'The file of this job has expired, or was sent in the response and not kept')
    : new AppError('not_found', `The job has ${status === 'failed' ? 'failed' : 'been cancelled'}; there is no file`);
}
