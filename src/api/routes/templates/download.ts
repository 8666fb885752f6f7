import { z } from '@hono/zod-openapi';
import { findTemplate, templateNotFound } from '../../../shared/domain/templates/find-template.ts';
import { docxType } from '../../../shared/storage/media-types.ts';
import { contentDisposition, toSafeFilename } from '../../generation/output-filename.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/parse-request.ts';
import { header, problemResponses, templateIdParam } from '../common-schemas.ts';

export const downloadTemplateOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/templates/{id}/content',
    operationId: 'downloadTemplate',
    summary: 'Download template',
    description: 'The template file of the current version, byte for byte as it was uploaded.',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }) },
    responses: {
      200: {
        description: 'The file.',
        headers: {
          'Content-Disposition': header('Name of the file (RFC 6266).'),
          ETag: header('SHA-256 of the file, hex, in quotes.'),
        },
        content: { [docxType]: { schema: z.string().openapi({ type: 'string', format: 'binary' }) } },
      },
      ...problemResponses(404),
    },
  },
  async handle(c, { db, objects }) {
    const template = await findTemplate(db, c.get('accountId'), pathId(c));
    const bytes = await objects.get(template.objectKey, template.checksum);
    if (bytes === undefined) throw templateNotFound();
    return c.body(new Uint8Array(bytes), 200, {
      'Content-Type': docxType,
      'Content-Disposition': contentDisposition(toSafeFilename(template.name, 'docx')),
      ETag: `"${template.checksum}"`,
    });
  },
};
