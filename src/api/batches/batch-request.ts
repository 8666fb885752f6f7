import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { targetUrl } from '../documents/callback-url.ts';
import { batchEmailFiles } from '../documents/file-fields.ts';
import { rowEmailRequest } from '../documents/generate-request.ts';
import { batchXmlInvoice, invoiceQuery, outputOfQuery } from '../documents/invoice-fields.ts';
import {
  batchPdfOptions,
  checkOutputRules,
  controlsQuery,
  glyphQuery,
  outputRules,
  renderOptions,
  renderQuery,
} from '../documents/output-options.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { defaultField, optionalField, optionalObject } from '../http/optional-field.ts';
import { parseQuery } from '../http/parse-query.ts';
import { invalidField, parseRequest } from '../http/parse-request.ts';
import { boundedText, plainLine, plainText } from '../http/plain-text.ts';
import { all, anyOf, given, hasItems, isValue, neverAllowed, not } from '../http/schema-rules.ts';
import { wholeNumber } from '../http/whole-number.ts';
import { batchLimits } from './batch-limits.ts';
import { type ColumnFormats, columnFormatsPattern, parseColumnFormats } from './sources/column-formats.ts';
import { maxErrorLength } from './sources/parse-row.ts';

const template = boundedText(1, 1_000);
const addresses = z.array(template).max(50);

const emailTemplate = z
  .strictObject({
    to: addresses.min(1).openapi({ description: 'Addresses, or values of the row: `{customer.email}`.' }),
    cc: optionalField(addresses).openapi({ description: 'CC recipients.' }),
    bcc: optionalField(addresses).openapi({ description: 'BCC recipients.' }),
    subject: optionalField(plainLine(1, 500)).openapi({ description: 'May contain values of the row.' }),
    body: optionalField(plainText(1, 500_000)).openapi({ description: 'The same for all rows.' }),
    ...batchEmailFiles,
  })
  .openapi('BatchEmail', { description: 'Also sends each document by e-mail.' });

const formats = z
  .enum(['docx', 'pdf', 'xml'], 'must be docx, pdf or xml')
  .openapi({ description: 'Format of the files. Default: `docx`.' });
const bundles = z.enum(['zip', 'pdf', 'none'], 'must be zip, pdf or none');
const filename = template.openapi({
  description: 'Name of each file, with values of the row in braces. Duplicate names get a number.',
  example: 'invoice-{number}',
});
const maxFailures = z.int('must be a whole number').min(0).max(100_000).openapi({
  description: 'If more rows than this fail, the batch fails and the remaining rows are released.',
});
const callbackUrl = targetUrl.openapi({
  description: 'An https address that is notified when the batch completes or fails.',
});

/** The `output` of one row of the JSON form; overrides the batch's own. */
export const itemOutput = z
  .strictObject({
    filename: optionalField(boundedText(1, 1_000)).openapi({
      description: 'Name of the file; values are not inserted.',
    }),
    ...renderOptions,
    pdf: optionalObject(batchPdfOptions).openapi({ description: 'Options of the PDF.' }),
    email: optionalObject(rowEmailRequest).openapi({ description: 'Replaces the e-mail of the batch.' }),
  })
  .openapi('BatchItemOutput');

const batchOutput = z
  .strictObject({
    format: defaultField(formats, 'docx'),
    filename: optionalField(filename),
    ...renderOptions,
    pdf: optionalObject(batchPdfOptions).openapi({ description: 'Options of the PDFs; only with `format` pdf.' }),
    xml: optionalObject(batchXmlInvoice).openapi({ description: 'The electronic invoices; only with `format` xml.' }),
    email: optionalObject(emailTemplate).openapi({ description: 'Also sends each document by e-mail.' }),
  })
  .superRefine(checkOutputRules)
  .openapi('BatchOutput', { description: 'How the documents are made and delivered.', ...outputRules });

const options = z.strictObject({
  output: optionalObject(batchOutput)
    .transform((output) => output ?? batchOutput.parse({}))
    .openapi({ description: 'How the documents are made and delivered.' }),
  bundle: defaultField(bundles, 'zip').openapi({
    description:
      'How the files can be downloaded: as a zip (the default), as one PDF (in volumes when it is large), or one by one only.',
  }),
  maxFailures: optionalField(maxFailures),
  callbackUrl: optionalField(callbackUrl),
  /** Not in the OpenAPI document: quoting is an operation of its own. */
  dryRun: optionalField(z.boolean()),
});

const checkBundle = (value: z.infer<typeof options>, context: z.core.$RefinementCtx): void => {
  if (value.bundle !== 'pdf') return;
  const reject = (message: string) => context.addIssue({ code: 'custom', path: ['bundle'], message });
  if (value.output.format !== 'pdf') reject('can only be pdf when output.format is pdf');
  if (value.output.pdf?.password !== undefined) reject('cannot be pdf when the files have a password');
  if (value.output.pdf?.permissions !== undefined) reject('cannot be pdf when the files have permissions');
  // A merged file contains only the pages of the documents, not their attachments.
  if ((value.output.pdf?.attachments ?? []).length > 0) reject('cannot be pdf when the files have attachments');
  if (value.output.pdf?.invoice !== undefined) reject('cannot be pdf when the files have an invoice');
};

/** The JSON form without the elements of `items`, which are parsed one by one. */
export const batchEnvelope = options.extend({ items: z.array(z.unknown(), 'must be a list') }).superRefine(checkBundle);

const notMergeable = given(
  'pdf',
  anyOf(given('password'), given('permissions'), given('attachments', hasItems), given('invoice')),
);

/** The rules of `checkBundle` in JSON Schema. */
const bundleRules = neverAllowed(
  all(given('bundle', isValue('pdf')), not(given('output', all(given('format', isValue('pdf')), not(notMergeable))))),
);

export type BatchOptions = Omit<z.infer<typeof batchEnvelope>, 'items'>;
export type ItemOutput = z.infer<typeof itemOutput>;

const item = z
  .strictObject({
    data: z.record(z.string(), z.unknown()).openapi({ description: 'As `data` of generate.' }),
    output: optionalObject(itemOutput).openapi({ description: 'Overrides the `output` of the batch.' }),
    error: optionalField(boundedText(1, maxErrorLength)).openapi({
      description:
        'Why this row has no document. The row fails alone with this message and costs nothing. For clients that read tables: an invalid row stays in the batch, so that the others keep their numbers.',
    }),
  })
  .openapi('BatchItem');

/** The JSON form, for the OpenAPI document. */
export const batchRequest = options
  .omit({ dryRun: true })
  .extend({
    items: z.array(item).min(1).max(batchLimits.rows).openapi({ description: 'The rows, one document each.' }),
  })
  .openapi('BatchRequest', { ...bundleRules });

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
const failureCount = wholeNumber(0, 100_000);

/** The query parameters; for NDJSON and CSV they carry the options that JSON has in its body. */
const batchQuery = z.strictObject({
  version: wholeNumber(1, 2_000_000_000)
    .optional()
    .openapi({ description: 'Version of the template. Default: the current one.', example: 1 }),
  dryRun: flag.optional(),
  format: formats.optional().openapi({ description: 'Format of the files. Default: docx. Only for NDJSON and CSV.' }),
  filename: filename.optional(),
  bundle: bundles.optional().openapi({ description: 'As in the JSON form. Default: zip. Only for NDJSON and CSV.' }),
  maxFailures: failureCount
    .optional()
    .openapi({ description: 'As in the JSON form. Only for NDJSON and CSV.', example: 10 }),
  ...renderQuery,
  ...controlsQuery,
  ...glyphQuery,
  ...invoiceQuery,
  callbackUrl: callbackUrl.optional(),
  columnFormats: boundedText(1, 8_000).optional().openapi({
    description:
      'How the cells of some columns are written, as `column:format` with commas between them: `decimalPoint` (1,234.50), `decimalComma` (1.234,50), `dayFirst` (31/12/2026), `monthFirst` (12/31/2026), `excelDate` (46062), `yesNo`, or `text`. Other columns are read as what the template needs. Only for CSV.',
    example: 'total:decimalComma,customer.since:dayFirst',
    pattern: columnFormatsPattern,
  }),
  emailTo: template.optional().openapi({ description: 'As `output.email.to`; one address.', example: '{email}' }),
  emailSubject: plainLine(1, 500).optional().openapi({ description: 'As `output.email.subject`.' }),
  emailBody: plainText(1, 10_000).optional().openapi({ description: 'As `output.email.body`.' }),
});

/** The query parameters, for the OpenAPI document. */
export const documentedBatchQuery = batchQuery.omit({ dryRun: true });

export interface QueryOptions {
  readonly isDryRun: boolean;
  /** How the columns of a CSV are written. */
  readonly columnFormats?: ColumnFormats;
  /** The options of NDJSON and CSV; undefined for JSON, which has them in the body. */
  readonly options: BatchOptions | undefined;
}

/** Reads the query; throws `invalid_request` for parameters that are unknown, invalid, or belong in the body. */
export function readQuery(c: Context<ApiEnv>, type: string): QueryOptions {
  const { version: _version, dryRun, columnFormats, ...fields } = parseQuery(batchQuery, c);
  const isDryRun = dryRun === true;
  if (columnFormats !== undefined && type !== 'text/csv') throw invalidField('columnFormats', 'is only for CSV');
  const formats = columnFormats === undefined ? {} : { columnFormats: parseColumnFormats(columnFormats) };
  if (type !== 'application/json') return { isDryRun, ...formats, options: toOptions(fields) };
  const misplaced = Object.keys(fields)[0];
  if (misplaced !== undefined) throw invalidField(misplaced, 'belongs in the body of a JSON request');
  return { isDryRun, options: undefined };
}

/** The options of the JSON form: its body without the elements of `items`. */
export function readEnvelope(envelope: unknown): BatchOptions {
  return parseRequest(batchEnvelope, envelope);
}

function toOptions(fields: Omit<z.infer<typeof batchQuery>, 'version' | 'dryRun' | 'columnFormats'>): BatchOptions {
  const {
    bundle,
    maxFailures,
    callbackUrl,
    emailTo,
    emailSubject,
    emailBody,
    externalContent,
    contentControls,
    invoiceProfile,
    invoiceFormat,
    invoiceRelationship,
    invoiceOnDifference,
    invoiceSyntax,
    ...output
  } = fields;
  if (emailTo === undefined && (emailSubject ?? emailBody) !== undefined) throw invalidField('emailTo', 'is missing');
  const email = emailTo === undefined ? undefined : { to: [emailTo], subject: emailSubject, body: emailBody };
  const invoice = { invoiceProfile, invoiceFormat, invoiceRelationship, invoiceOnDifference, invoiceSyntax };
  return readEnvelope({
    items: [],
    output: {
      ...output,
      docx: { externalContent, contentControls },
      ...outputOfQuery(output.format, invoice),
      email,
    },
    bundle,
    maxFailures,
    callbackUrl,
  });
}
