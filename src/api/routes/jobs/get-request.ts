import { z } from '@hono/zod-openapi';
import { findRequest, type RequestRecord } from '../../../shared/domain/documents/find-request.ts';
import { shownPdfOptions, withoutDocxPassword } from '../../../shared/output-options.ts';
import { readRowData } from '../../../shared/read-row-data.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { jobIdParam } from './job-resource.ts';

const jobRequestSchema = z
  .object({
    templateId: z.string().openapi({ description: 'Id of the template.' }),
    templateVersion: z.number().int().openapi({ description: 'Version of the template.' }),
    output: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'As `output` of generate, without the e-mail and without passwords.' }),
    dataSha256: z.string().openapi({
      description: 'SHA-256 (hex) of the JSON text of `data`, byte by byte as it was sent.',
      pattern: '^[0-9a-f]{64}$',
    }),
    data: z.string().optional().openapi({
      description:
        'The JSON text of `data`, byte by byte as it was sent: of a row of a batch, while the batch keeps its rows. Absent otherwise.',
    }),
  })
  .openapi('JobRequest');

export const getRequestOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/jobs/{id}/request',
    operationId: 'getJobRequest',
    summary: 'Get the request of a job',
    description:
      'What the document was asked for, to produce it again: version of the template, options and, where it is kept, the data. The data of single documents is deleted when they end; that of the rows of a batch is kept as long as its files.',
    tags: ['Jobs'],
    request: { params: z.object({ id: jobIdParam }) },
    responses: {
      200: { description: 'The request.', content: { 'application/json': { schema: jobRequestSchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, deps) {
    const record = await findRequest(deps.db, c.get('accountId'), pathId(c));
    const { templateId, templateVersion, format, filename, renderOptions, pdfOptions, dataChecksum } = record;
    const data = (await readRowData(deps.objects, record))?.toString('utf8');
    return c.json(
      {
        templateId,
        templateVersion,
        output: {
          format,
          filename,
          ...toOutput(renderOptions),
          ...(pdfOptions && { pdf: shownPdfOptions(pdfOptions) }),
        },
        dataSha256: dataChecksum,
        ...(data !== undefined && { data }),
      },
      200,
      { 'Cache-Control': 'no-store' },
    );
  },
};

/** Moves `externalContent`, which rows store at the top level, into `docx`. */
function toOutput(stored: RequestRecord['renderOptions']) {
  const { externalContent, docx, ...options } = withoutDocxPassword(stored) ?? {};
  const ofDocx = { ...(externalContent !== undefined && { externalContent }), ...docx };
  return { ...options, ...(Object.keys(ofDocx).length > 0 && { docx: ofDocx }) };
}
