import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Option } from '@commander-js/extra-typings';
import type { BatchOptions } from '@docmill/client';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { readJsonObject } from '../read-json-object.ts';

export interface BatchFlags {
  readonly format?: 'docx' | 'pdf' | undefined;
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
  const output = { ...given, ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) };
  const { maxFailures, callbackUrl } = flags;
  return { options: { output, maxFailures, callbackUrl }, needsItems: needsItems(output) };
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
/** Longer texts do not fit into a URL. */
const maxQueryText = 2_000;

/** CSV and NDJSON take their options from the query, which cannot hold lists or objects. */
function needsItems(output: NonNullable<BatchOptions['output']>): boolean {
  return Object.entries(output).some(([field, value]) => {
    if (field === 'docx') return Object.keys(output.docx ?? {}).some((name) => name !== 'externalContent');
    if (field !== 'email') return !queryFields.has(field) && value !== null;
    const { to, cc, bcc, body } = output.email ?? { to: [] };
    return to.length > 1 || Boolean(cc) || Boolean(bcc) || (body ?? '').length > maxQueryText;
  });
}

export const formatOption = new Option('-f, --format <format>', 'format of the documents').choices([
  'docx',
  'pdf',
] as const);
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
