import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Option } from '@commander-js/extra-typings';
import type { BatchOptions, CellFormat } from '@docmill/client';
import { CliError } from '../cli-error.ts';
import { formats, type InvoiceFlags, toInvoice } from '../electronic-invoice.ts';
import { exitCodes } from '../exit-codes.ts';
import { readJsonObject } from '../read-json-object.ts';

export interface BatchFlags extends InvoiceFlags {
  readonly filename?: string | undefined;
  readonly locale?: string | undefined;
  readonly timezone?: string | undefined;
  readonly onMissing?: 'empty' | 'error' | 'highlight' | undefined;
  readonly onMissingGlyph?: 'warn' | 'error' | undefined;
  readonly documentDate?: string | undefined;
  readonly externalContent?: 'keep' | 'remove' | undefined;
  readonly maxFailures?: number | undefined;
  readonly callbackUrl?: string | undefined;
  readonly emailTo?: readonly string[] | undefined;
  readonly emailSubject?: string | undefined;
  readonly emailBody?: string | undefined;
  readonly columnFormat?: readonly string[] | undefined;
  readonly outputOptions?: string | undefined;
}

/** Builds the request options without `bundle`, and tells whether they require rows as JSON items. */
export async function readBatchOptions(
  flags: BatchFlags,
  stdin: Readable,
): Promise<{ readonly options: Omit<BatchOptions, 'bundle'>; readonly needsItems: boolean }> {
  const { format, filename, locale, timezone, onMissing, onMissingGlyph, documentDate } = flags;
  // The service validates these fields.
  const given: NonNullable<BatchOptions['output']> =
    flags.outputOptions === undefined ? {} : await readJsonObject(flags.outputOptions, stdin);
  const email = await readEmail(flags);
  const docx = flags.externalContent && { externalContent: flags.externalContent };
  const named = { format, filename, locale, timezone, onMissing, onMissingGlyph, documentDate, docx, email };
  const chosen = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  const output = { ...given, ...chosen, ...readInvoice(flags, given) };
  const { maxFailures, callbackUrl } = flags;
  const columnFormats = readColumnFormats(flags.columnFormat);
  return { options: { output, maxFailures, callbackUrl, columnFormats }, needsItems: needsItems(output) };
}

/** The invoice of the flags. Without any, the options file may ask for one. */
function readInvoice(flags: BatchFlags, { format = 'docx', pdf, xml }: NonNullable<BatchOptions['output']>) {
  if (flags.invoice === undefined && flags.syntax === undefined && xml) return {};
  const chosen = toInvoice({ format: format ?? 'docx', ...definedOf(flags) });
  return 'pdf' in chosen ? { pdf: { ...pdf, ...chosen.pdf } } : chosen;
}

const definedOf = ({ format, invoice, syntax }: InvoiceFlags): InvoiceFlags => ({
  ...(format !== undefined && { format }),
  invoice,
  syntax,
});

const cellFormats = [
  'text',
  'decimalPoint',
  'decimalComma',
  'dayFirst',
  'monthFirst',
  'excelDate',
  'yesNo',
] as const satisfies readonly CellFormat[];

/** Reads `total:decimalComma`; a column may have colons in its own name. */
function readColumnFormats(entries: readonly string[] | undefined): BatchOptions['columnFormats'] {
  return entries && Object.fromEntries(entries.map(readColumnFormat));
}

function readColumnFormat(entry: string): readonly [column: string, format: CellFormat] {
  const at = entry.lastIndexOf(':');
  const format = cellFormats.find((known) => known === entry.slice(at + 1));
  if (at > 0 && format !== undefined) return [entry.slice(0, at), format];
  const message = `--column-format ${entry}: write a column and its format, such as total:decimalComma.`;
  throw new CliError(exitCodes.usage, message, `Formats: ${cellFormats.join(', ')}.`);
}

async function readEmail({ emailTo, emailSubject, emailBody }: BatchFlags) {
  if (emailTo === undefined) {
    if ((emailSubject ?? emailBody) === undefined) return undefined;
    throw new CliError(exitCodes.usage, '--email-subject and --email-body need --email-to.');
  }
  const body = emailBody === undefined ? undefined : await readFile(emailBody, 'utf8');
  return { to: emailTo, subject: emailSubject, body };
}

const queryFields: ReadonlySet<string> = new Set([
  'format',
  'filename',
  'locale',
  'timezone',
  'onMissing',
  'onMissingGlyph',
  'documentDate',
]);
const docxFields = new Set(['externalContent', 'contentControls']);
/** Longer texts do not fit into a URL. */
const maxQueryText = 2_000;

/** CSV and NDJSON take their options from the query, which cannot hold lists or objects. */
function needsItems(output: NonNullable<BatchOptions['output']>): boolean {
  return Object.entries(output).some(([field, value]) => {
    if (field === 'docx') return Object.keys(output.docx ?? {}).some((name) => !docxFields.has(name));
    if (field === 'pdf') return Object.keys(output.pdf ?? {}).some((name) => name !== 'invoice');
    if (field === 'xml') return false;
    if (field !== 'email') return !queryFields.has(field) && value !== null;
    const { to, cc, bcc, body } = output.email ?? { to: [] };
    return to.length > 1 || Boolean(cc) || Boolean(bcc) || (body ?? '').length > maxQueryText;
  });
}

export const formatOption = new Option('-f, --format <format>', 'format of the documents').choices(formats);
export const missingOption = new Option('--on-missing <action>', 'what a missing value does').choices([
  'empty',
  'error',
  'highlight',
] as const);
export const glyphOption = new Option(
  '--on-missing-glyph <action>',
  'what a PDF does with a character that no font has',
).choices(['warn', 'error'] as const);
export const externalOption = new Option(
  '--external-content <action>',
  'what a .docx does with content that Word would load from outside',
).choices(['keep', 'remove'] as const);
