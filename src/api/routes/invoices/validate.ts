import { z } from '@hono/zod-openapi';
import { type InvoiceReply, invoiceReply } from '../../../shared/queue/document-reply.ts';
import { inspectUpload } from '../../documents/inspect-upload.ts';
import { openBody } from '../../http/decode-body.ts';
import { readUpload, requireFile } from '../../http/read-upload.ts';
import type { Operation } from '../../operation.ts';
import { binary, differenceFields, problemResponses } from '../common-schemas.ts';

const maxInvoiceBytes = 10 * 1024 * 1024;

const form = z
  .object({ file: binary('An invoice as XML (CII or UBL 2.1), or a PDF with one attached, of at most 10 MB.') })
  .openapi('InvoiceUpload');

const finding = z
  .object({
    id: z.string().openapi({
      description:
        'The rule, such as `BR-CO-15`. `pdf-profile` requires that the metadata of a PDF declare the profile of its invoice.',
      example: 'BR-CO-15',
    }),
    severity: z
      .enum(['fatal', 'warning', 'information'])
      .openapi({ description: 'Only `fatal` makes an invoice invalid.' }),
    message: z.string().openapi({ description: 'The text of the rule, in its language.' }),
    businessTerms: z
      .array(z.string())
      .openapi({ description: 'The terms that the rule is about.', example: ['BT-112'] }),
    location: z.string().openapi({ description: 'XPath of the element that was checked.' }),
    line: z.number().int().openapi({ description: 'Line of the element in the XML, from 1.' }),
    problem: z.string().optional().openapi({
      description: 'Why the rule could not be evaluated, such as an amount that is not a number.',
    }),
  })
  .openapi('InvoiceFinding');

const difference = z
  .object({
    message: z.string().openapi({ description: 'What differs, as a sentence.' }),
    businessTerms: z.array(z.string()).openapi({ description: 'The term whose value differs.', example: ['BT-112'] }),
    ...differenceFields,
    expected: z.string().openapi({ description: 'The value of the invoice.', example: '119.00' }),
  })
  .openapi('InvoicePageDifference');

const report = z
  .object({
    valid: z.boolean().openapi({ description: 'Whether no rule with the severity `fatal` is broken.' }),
    syntax: z.enum(['cii', 'ubl-invoice', 'ubl-credit-note']).openapi({ description: 'The syntax of the XML.' }),
    profile: z.string().nullable().openapi({
      description:
        'The profile that the invoice claims, such as `EN 16931` or `XRECHNUNG`; null for one that is not known.',
      example: 'EN 16931',
    }),
    specification: z.string().openapi({ description: 'The specification that it names (BT-24); may be empty.' }),
    ruleSets: z.array(z.string()).openapi({
      description:
        'The rules that were run. None for `MINIMUM` and `BASIC WL`, which have no lines and are not invoices of EN 16931.',
      example: ['en16931-cii'],
    }),
    attachment: z
      .object({
        name: z.string().openapi({ description: 'Name of the attachment.', example: 'factur-x.xml' }),
        conformanceLevel: z
          .string()
          .nullable()
          .openapi({ description: 'The profile that the metadata of the PDF declares.' }),
        relationship: z
          .string()
          .nullable()
          .openapi({ description: 'Its relationship to the pages.', example: 'Alternative' }),
      })
      .nullable()
      .openapi({ description: 'The attachment of the PDF that holds the invoice; null for XML.' }),
    findings: z.array(finding).openapi({ description: 'The broken rules; at most 500 of each set of rules.' }),
    hasMoreFindings: z.boolean().openapi({ description: 'Whether there are more.' }),
    differences: z.array(difference).nullable().openapi({
      description:
        'The values of the invoice that the pages of the PDF do not show where they should, at most 100. They do not make an invoice invalid. Null for XML, and if the pages could not be compared, which the finding `pdf-pages` explains.',
    }),
    hasMoreDifferences: z.boolean().openapi({ description: 'Whether there are more.' }),
  })
  .openapi('InvoiceReport');

export const validateInvoiceOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'post',
    path: '/v1/invoices/validate',
    operationId: 'validateInvoice',
    summary: 'Validate invoice',
    description:
      'Validates an electronic invoice of any producer by the rules of EN 16931 and, if it claims to be one, of XRechnung, and compares the pages of a PDF with its XML. Stores nothing and costs no credit. An invoice that breaks rules is an answer, not an error.',
    tags: ['Invoices'],
    request: { body: { required: true, content: { 'multipart/form-data': { schema: form } } } },
    responses: {
      200: { description: 'The verdict.', content: { 'application/json': { schema: report } } },
      ...problemResponses(400, 415),
    },
  },
  async handle(c, deps) {
    const permit = deps.waitingRequests.acquire(c.get('accountId'));
    try {
      const upload = await readUpload({ type: c.req.header('Content-Type'), body: openBody(c) }, c.get('bodyLease'), {
        fileBytes: maxInvoiceBytes,
      });
      const options = { kind: 'invoice', reply: invoiceReply } as const;
      const inspected = await inspectUpload(deps, c.get('accountId'), requireFile(upload.file), options);
      return c.json(toReport(inspected), 200);
    } finally {
      permit.release();
    }
  },
};

function toReport({ findings, ...reply }: InvoiceReply): z.infer<typeof report> {
  return {
    valid: findings.every(({ severity }) => severity !== 'fatal'),
    ...reply,
    findings: findings.map(({ text, ...each }) => ({ ...each, message: text })),
  };
}
