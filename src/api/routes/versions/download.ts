import { z } from '@hono/zod-openapi';
import { templateNotFound } from '../../../shared/domain/templates/find-template.ts';
import { findVersion } from '../../../shared/domain/templates/find-versions.ts';
import { docxType } from '../../../shared/storage/media-types.ts';
import { contentDisposition, toSafeFilename } from '../../generation/output-filename.ts';
import type { Operation } from '../../http/operation.ts';
import { parseRequest, pathId } from '../../http/parse-request.ts';
import { problemResponses, templateIdParam, versionParam } from '../common-schemas.ts';

const params = z.object({ id: templateIdParam, version: versionParam });

export const downloadVersionOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/templates/{id}/versions/{version}/content',
    operationId: 'downloadTemplateVersion',
    summary: 'Download version',
    tags: ['Templates'],
    request: { params },
    responses: {
      200: {
        description: 'The file, as it was uploaded.',
        content: { [docxType]: { schema: z.string().openapi({ type: 'string', format: 'binary' }) } },
      },
      ...problemResponses(400, 404),
    },
  },
  async handle(c, { db, objects }) {
    const { version } = parseRequest(params, c.req.param());
    const record = await findVersion(db, { accountId: c.get('accountId'), templateId: pathId(c), version });
    const bytes = await objects.get(record.objectKey, record.checksum);
    if (bytes === undefined) throw templateNotFound();
    return c.body(new Uint8Array(bytes), 200, {
      'Content-Type': docxType,
      'Content-Disposition': contentDisposition(toSafeFilename(record.name, 'docx')),
      ETag: `"${record.checksum}"`,
    });
  },
};
