import { hash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { DocumentFonts, DocumentInclude } from '../../../shared/domain/documents/document-record.ts';
import { findReceipt, type ReceiptRecord } from '../../../shared/domain/documents/find-receipt.ts';
import { shownPdfOptions, withoutDocxPassword } from '../../../shared/output-options.ts';
import { signCompact } from '../../../shared/receipts/compact-jws.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { approvalSchema, toApproval } from '../versions/review-resource.ts';
import { formatSchema, jobIdParam } from './job-resource.ts';

const sha256 = (description: string) =>
  z.string().openapi({ description: `SHA-256 (hex) of ${description}.`, pattern: '^[0-9a-f]{64}$' });

const receipt = z
  .object({
    id: z.string().openapi({ description: 'Id of the job.' }),
    test: z.literal(true).optional().openapi({ description: 'Requested with a test key. Absent otherwise.' }),
    template: z
      .object({
        id: z.string().openapi({ description: 'Id of the template.' }),
        version: z.number().int().openapi({ description: 'Version of the template.' }),
        sha256: sha256("the version's file"),
        approval: approvalSchema.optional(),
      })
      .openapi('ReceiptTemplate'),
    includes: z
      .array(
        z
          .object({
            id: z.string().openapi({ description: 'Id of the template.' }),
            name: z.string().openapi({ description: 'The name or the id by which a tag includes it.' }),
            version: z.number().int().openapi({ description: 'Version of the template.' }),
            sha256: sha256("the version's file"),
            approval: approvalSchema.optional(),
          })
          .openapi('ReceiptInclude'),
      )
      .optional()
      .openapi({ description: 'The templates that the template includes. Absent for none.' }),
    data: z.object({ sha256: sha256('the JSON text of `data`, byte by byte as it was sent') }).openapi('ReceiptData'),
    result: z
      .object({
        format: formatSchema,
        filename: z.string().openapi({ description: 'Name of the file.' }),
        size: z.number().int().openapi({ description: 'Size of the file in bytes.' }),
        sha256: sha256('the file'),
        pages: z.number().int().optional().openapi({ description: 'Pages of a PDF.' }),
        warnings: z.number().int().openapi({ description: 'Number of warnings.' }),
      })
      .openapi('ReceiptResult'),
    options: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'The options of `output` that control the file, without passwords.' }),
    documentDate: z.iso.datetime().optional().openapi({ description: 'The date that the document shows as its own.' }),
    engine: z.object({ name: z.string(), version: z.string() }).optional().openapi({
      description: 'The program that laid out the pages of a PDF: `LibreOffice` or `Docmill`.',
    }),
    fonts: z
      .object({
        sha256: sha256('the two below and of the uploads: equal for the same fonts'),
        installed: sha256('the fonts that are installed with the engine'),
        account: z
          .array(z.object({ name: z.string(), sha256: sha256('the uploaded file') }))
          .openapi({ description: 'The fonts of the account that the document uses.' }),
      })
      .optional()
      .openapi('ReceiptFonts', { description: 'The fonts with which a PDF was printed.' }),
    service: z
      .object({ version: z.string(), node: z.string() })
      .optional()
      .openapi({ description: 'The release of Docmill, and of Node.js, that produced the file.' }),
    acceptedAt: z.iso.datetime().openapi({ description: 'When the request was accepted.' }),
    finishedAt: z.iso.datetime().openapi({ description: 'When the file was complete.' }),
  })
  .openapi('Receipt');

const signedReceipt = z
  .object({
    receipt,
    signature: z.string().optional().openapi({
      description:
        'The receipt as a compact JSON Web Signature (RFC 7515, EdDSA), if the operator has configured a key. Its public key is in `/.well-known/jwks.json`.',
    }),
  })
  .openapi('SignedReceipt');

export const getReceiptOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/jobs/{id}/receipt',
    operationId: 'getJobReceipt',
    summary: 'Get the receipt of a job',
    description:
      'How the document came to be: digests of the template, the data and the file, the options, the engine, its fonts, and the times. It stays when the data and the file have expired. Only a job that has succeeded has a receipt.',
    tags: ['Jobs'],
    request: { params: z.object({ id: jobIdParam }) },
    responses: {
      200: { description: 'The receipt.', content: { 'application/json': { schema: signedReceipt } } },
      ...problemResponses(404, 409),
    },
  },
  async handle(c, { db, receiptKey }) {
    const content = toReceipt(await findReceipt(db, c.get('accountId'), pathId(c)));
    return c.json({
      receipt: content,
      ...(receiptKey !== undefined && { signature: signCompact(content, receiptKey) }),
    });
  },
};

function toReceipt(row: ReceiptRecord): z.infer<typeof receipt> {
  const { pdfOptions, engine, service, pages, documentDate, acceptedAt, finishedAt } = row;
  return {
    id: row.id,
    ...(row.isTest && { test: true as const }),
    template: { id: row.templateId, version: row.templateVersion, sha256: row.templateChecksum, ...approvalOf(row) },
    ...(row.includes !== null && { includes: row.includes.map(toInclude) }),
    data: { sha256: row.dataChecksum },
    result: {
      format: row.format,
      filename: row.filename,
      size: row.resultBytes ?? 0,
      sha256: row.resultChecksum ?? '',
      ...(pages !== null && { pages }),
      warnings: row.warnings?.length ?? 0,
    },
    options: {
      ...withoutDocxPassword(row.renderOptions),
      ...(pdfOptions !== null && { pdf: shownPdfOptions(pdfOptions) }),
    },
    ...(documentDate !== null && { documentDate: documentDate.toISOString() }),
    ...(engine !== null && { engine: { name: engine.name, version: engine.version } }),
    ...(engine?.fonts !== undefined && { fonts: toFonts(engine.fonts) }),
    ...(service !== null && { service }),
    acceptedAt: acceptedAt.toISOString(),
    finishedAt: (finishedAt ?? acceptedAt).toISOString(),
  };
}

function toInclude({ templateId, reference, version, checksum, approval }: DocumentInclude) {
  return { id: templateId, name: reference, version, sha256: checksum, ...approvalOf({ approval: approval ?? null }) };
}

const approvalOf = ({ approval }: Pick<ReceiptRecord, 'approval'>) =>
  approval === null ? {} : { approval: toApproval(approval) };

function toFonts({ installed, account }: DocumentFonts): z.infer<typeof receipt>['fonts'] {
  const used = [...account].sort((a, b) => (a.name < b.name ? -1 : 1));
  const parts = [installed, ...used.map(({ sha256, upload }) => `${sha256} ${upload}`)];
  return {
    sha256: hash('sha256', parts.join('\n'), 'hex'),
    installed,
    account: used.map(({ name, sha256 }) => ({ name, sha256 })),
  };
}
