import { z } from '@hono/zod-openapi';
import { findOwnBundle, pickFile } from '../../../shared/domain/batches/find-bundle.ts';
import { AppError } from '../../../shared/errors.ts';
import { pdfType, zipType } from '../../../shared/storage/media-types.ts';
import { contentDisposition } from '../../generation/output-filename.ts';
import { requestedRange } from '../../http/conditional-request.ts';
import type { Operation } from '../../http/operation.ts';
import { parseRequest, pathId } from '../../http/parse-request.ts';
import { toVerifiedBody } from '../../http/verified-stream.ts';
import { header, problemResponses } from '../common-schemas.ts';

const id = z.string().openapi({ param: { name: 'id', in: 'path' }, description: 'Id of the batch.' });
const query = z.object({
  volume: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1)
    .max(100_000)
    .default(1)
    .openapi({ description: 'Volume of a merged PDF. `Link` points to the next one.' }),
});
const file = z.string().openapi({ type: 'string', format: 'binary' });
const headers = {
  'Content-Disposition': header('Name of the file (RFC 6266).'),
  ETag: header('SHA-256 of the file, in quotes.'),
  'Accept-Ranges': header('Always `bytes`.'),
  Link: { ...header('The next volume (RFC 8288), when there is one.'), required: false },
};
const content = { [zipType]: { schema: file }, [pdfType]: { schema: file } };

export const getBatchContentOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/batches/{id}/content',
    operationId: 'getBatchContent',
    summary: 'Download the bundle of a batch',
    description:
      'The zip, or a volume of the merged PDF (at most 1,000 documents or 256 MB each). Can be downloaded any number of times until the batch expires. Supports `Range` and `If-Range`.',
    tags: ['Batches'],
    request: { params: z.object({ id }), query },
    responses: {
      200: { description: 'The file.', headers, content },
      206: {
        description: 'The requested range of the file.',
        headers: { ...headers, 'Content-Range': header('The range and the size of the file.') },
        content,
      },
      ...problemResponses(400, 404, 409),
    },
  },
  async handle(c, { db, objects, config }) {
    const { volume } = parseRequest(query, c.req.query());
    const batch = await findOwnBundle(db, c.get('accountId'), pathId(c));
    const { objectKey, name, sizeBytes, checksum, contentType } = pickFile(batch, volume);
    const etag = `"${checksum}"`;
    const range = requestedRange(c.req, { etag, sizeBytes });
    const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
    const stream = await objects.getStream(objectKey, start);
    if (stream === undefined) throw new AppError('not_found', 'The files of this batch have expired');
    const length = end - start + 1;
    const headers: Record<string, string> = {
      'Content-Type': contentType,
      'Content-Length': String(length),
      'Content-Disposition': contentDisposition(name),
      'Accept-Ranges': 'bytes',
      ETag: etag,
      ...(range !== undefined && { 'Content-Range': `bytes ${start}-${end}/${sizeBytes}` }),
    };
    if (batch.files?.[volume] !== undefined) {
      const here = new URL(c.req.url);
      const next = new URL(here.pathname, config.PUBLIC_URL ?? here);
      headers.Link = `<${next.href}?volume=${volume + 1}>; rel="next"`;
    }
    const body = toVerifiedBody(stream, length, range === undefined ? checksum : undefined);
    return c.body(body as ReadableStream, range === undefined ? 200 : 206, headers);
  },
};
