import { z } from '@hono/zod-openapi';
import { findTemplate, templateNotFound } from '../../../shared/domain/templates/find-template.ts';
import { docxType } from '../../../shared/storage/media-types.ts';
import { contentDisposition, toSafeFilename } from '../../documents/output-filename.ts';
import { toEntityTag } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import { bytesOf, sendFile } from '../../http/send-file.ts';
import type { Operation } from '../../operation.ts';
import { downloadHeaders, fileResponses, problemResponses, templateIdParam } from '../common-schemas.ts';

export const downloadTemplateOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/templates/{id}/content',
    operationId: 'downloadTemplate',
    summary: 'Download template',
    description:
      'The template file of the current version, byte for byte as it was uploaded. Its `ETag` is that of the template. Supports `Range` and `If-Range`.',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }), headers: downloadHeaders },
    responses: { ...fileResponses([docxType]), ...problemResponses(404, 412, 416) },
  },
  async handle(c, { db, objects }) {
    const template = await findTemplate(db, c.get('accountId'), pathId(c));
    return sendFile(c, {
      etag: toEntityTag(template),
      sizeBytes: template.sizeBytes,
      headers: {
        'Content-Type': docxType,
        'Content-Disposition': contentDisposition(toSafeFilename(template.name, 'docx')),
      },
      async read(range) {
        const file = await objects.get(template.objectKey, template.checksum);
        if (file === undefined) throw templateNotFound();
        return bytesOf(file, range);
      },
    });
  },
};
