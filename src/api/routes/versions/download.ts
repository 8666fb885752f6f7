import { z } from '@hono/zod-openapi';
import { templateNotFound } from '../../../shared/domain/templates/find-template.ts';
import { findVersion } from '../../../shared/domain/templates/find-versions.ts';
import { docxType } from '../../../shared/storage/media-types.ts';
import { contentDisposition, toSafeFilename } from '../../documents/output-filename.ts';
import { toChecksumTag } from '../../http/conditional-request.ts';
import { parseRequest, pathId } from '../../http/parse-request.ts';
import { bytesOf, sendFile } from '../../http/send-file.ts';
import type { Operation } from '../../operation.ts';
import { downloadHeaders, fileResponses, problemResponses, templateIdParam, versionParam } from '../common-schemas.ts';

const params = z.object({ id: templateIdParam, version: versionParam });

export const downloadVersionOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/templates/{id}/versions/{version}/content',
    operationId: 'downloadTemplateVersion',
    summary: 'Download version',
    tags: ['Templates'],
    description:
      'The file of one version, as it was uploaded. It never changes: its `ETag` is its SHA-256. Supports `Range` and `If-Range`.',
    request: { params, headers: downloadHeaders },
    responses: { ...fileResponses([docxType]), ...problemResponses(400, 404, 412, 416) },
  },
  async handle(c, { db, objects }) {
    const { version } = parseRequest(params, c.req.param());
    const record = await findVersion(db, { accountId: c.get('accountId'), templateId: pathId(c), version });
    return sendFile(c, {
      etag: toChecksumTag(record.checksum),
      sizeBytes: record.sizeBytes,
      headers: {
        'Content-Type': docxType,
        'Content-Disposition': contentDisposition(toSafeFilename(record.name, 'docx')),
      },
      async read(range) {
        const file = await objects.get(record.objectKey, record.checksum);
        if (file === undefined) throw templateNotFound();
        return bytesOf(file, range);
      },
    });
  },
};
