import { z } from '@hono/zod-openapi';
import { findOwnBundle, pickFile } from '../../../shared/domain/batches/find-bundle.ts';
import { AppError } from '../../../shared/errors.ts';
import { pdfType, zipType } from '../../../shared/storage/media-types.ts';
import { contentDisposition } from '../../documents/output-filename.ts';
import { toChecksumTag } from '../../http/conditional-request.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { sendFile } from '../../http/send-file.ts';
import { toVerifiedBody } from '../../http/verified-stream.ts';
import { wholeNumber } from '../../http/whole-number.ts';
import type { Operation } from '../../operation.ts';
import { downloadHeaders, fileResponses, idParam, optionalHeader, problemResponses } from '../common-schemas.ts';

const id = idParam('bat', 'Id of the batch.');
const query = z.object({
  volume: wholeNumber(1, 100_000)
    .default(1)
    .openapi({ description: 'Volume of a merged PDF. `Link` points to the next one.', example: 1 }),
});
export const getBatchContentOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/batches/{id}/content',
    operationId: 'getBatchContent',
    summary: 'Download the bundle of a batch',
    description:
      'The zip, or a volume of the merged PDF (at most 1,000 documents or 256 MB each). Can be downloaded any number of times until the batch expires. Supports `Range` and `If-Range`.',
    tags: ['Batches'],
    request: { params: z.object({ id }), query, headers: downloadHeaders },
    responses: {
      ...fileResponses([zipType, pdfType], {
        Link: optionalHeader('The next volume (RFC 8288), when there is one.'),
      }),
      ...problemResponses(400, 404, 409, 412, 416),
    },
  },
  async handle(c, { db, objects, config }) {
    const { volume } = parseQuery(query, c);
    const batch = await findOwnBundle(db, c.get('accountId'), pathId(c));
    const { objectKey, name, sizeBytes, checksum, contentType } = pickFile(batch, volume);
    const headers: Record<string, string> = {
      'Content-Type': contentType,
      'Content-Disposition': contentDisposition(name),
    };
    if (batch.files?.[volume] !== undefined) {
      const here = new URL(c.req.url);
      const next = new URL(here.pathname, config.PUBLIC_URL ?? here);
      headers.Link = `<${next.href}?volume=${volume + 1}>; rel="next"`;
    }
    return sendFile(c, {
      etag: toChecksumTag(checksum),
      sizeBytes,
      headers,
      async read(range) {
        const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
        const stream = await objects.getStream(objectKey, start);
        if (stream === undefined) throw new AppError('not_found', 'The files of this batch have expired');
        return toVerifiedBody(stream, end - start + 1, range === undefined ? checksum : undefined) as ReadableStream;
      },
    });
  },
};
