import { z } from '@hono/zod-openapi';
import type { OutputFormat } from '../../shared/domain/documents/document-record.ts';
import { isLocale } from '../../shared/is-locale.ts';
import type { DocxOptions, DocxProtection, PdfOptions, PdfPermissions } from '../../shared/output-options.ts';
import type { PdfFileOptions } from '../../shared/request-files.ts';
import { optionalField, optionalObject } from '../http/optional-field.ts';
import { plainLine } from '../http/plain-text.ts';
import { all, anyOf, given, hasItems, isValue, neverAllowed, not } from '../http/schema-rules.ts';
import { batchPdfFiles, pdfFiles } from './file-fields.ts';
import { batchHybridInvoice, hybridInvoice } from './invoice-fields.ts';

const isTimezone = (text: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

// RFC 3339, 5.6. Word and PDF readers do not support leap seconds.
const documentDatePattern =
  /^(?:19|2[0-9])[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;

const isDocumentDate = (text: string): boolean => {
  if (!documentDatePattern.test(text)) return false;
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const year = new Date(text).getUTCFullYear();
  // JavaScript parses 31 February as 3 March.
  return day.toISOString().startsWith(text.slice(0, 10)) && year >= 1900 && year <= 2999;
};

/** The time in UTC with whole seconds, so that equal times are equal strings. */
export function toUtc(documentDate: string | undefined): string | undefined {
  return documentDate && `${new Date(documentDate).toISOString().slice(0, 19)}Z`;
}

const fields = {
  locale: z
    .string()
    .max(100)
    .refine(isLocale, 'must be a language such as en-GB or de')
    .openapi({ pattern: '^[A-Za-z]{2,8}(?:-[0-9A-Za-z]{1,8})*$' }),
  timezone: z
    .string()
    .max(100)
    .refine(isTimezone, 'must be a time zone such as Europe/Berlin')
    .openapi({ pattern: '^[A-Za-z0-9+:_-]+(?:/[A-Za-z0-9+_-]+)*$' }),
  onMissing: z.enum(['empty', 'error', 'highlight'], 'must be empty, error or highlight'),
  onMissingGlyph: z.enum(['warn', 'error'], 'must be warn or error'),
  documentDate: z
    .string()
    .max(40)
    .refine(
      isDocumentDate,
      'must be a date and time with its offset from UTC, such as 2026-03-31T14:30:00+02:00, in the years 1900 to 2999',
    )
    .openapi({ format: 'date-time', pattern: documentDatePattern.source }),
};
const notes = {
  locale: {
    description:
      'Language of numbers, dates and words (BCP 47). A language that the Unicode CLDR does not know is rejected. Default: `en`.',
    example: 'de-DE',
  },
  timezone: {
    description:
      'Time zone of dates and times (IANA). A zone that the time zone database does not know is rejected. Default: `UTC`.',
    example: 'Europe/Berlin',
  },
  onMissing: {
    description:
      'What a tag without a value does: `empty` prints nothing (the default), `error` rejects the request and lists every missing path, `highlight` prints the tag in yellow (docx only).',
  },
  documentDate: {
    description:
      'The date of the document (RFC 3339): its properties say that it was created and changed then, and date fields of a PDF show it in `timezone`. Default: when the version of the template was uploaded, so that the same request always gives the same bytes.',
    example: '2026-03-31T14:30:00+02:00',
  },
};

const glyphNote = {
  description:
    'What a PDF does with characters that no font of the service has: `warn` prints empty boxes and adds a warning (the default), `error` rejects the request and lists the characters. Without effect on a .docx.',
};

/** Schemas for exactly the fields of `T`. */
type FieldsOf<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> };

const externalContent = z.enum(['keep', 'remove'], 'must be keep or remove');
const externalNote = {
  description:
    'Whether a .docx keeps content that Word would load from outside (linked pictures and objects, attached templates, imported files, mail merge sources) and digital signatures, which become invalid when the template is filled: `keep` or `remove`. Hyperlinks stay. Default: `remove` for documents that are e-mailed, `keep` for all others. PDFs never load anything.',
};

const contentControls = z.enum(['keep', 'remove', 'lock'], 'must be keep, remove or lock');
const controlsNote = {
  description:
    'What happens to the content controls of a .docx: they stay, only their content stays, or nobody can edit or delete them. Default: `keep`.',
};

const modes = ['readOnly', 'comments', 'trackedChanges', 'forms', 'recommended'] as const;

const docxProtection = z
  .strictObject({
    mode: z.enum(modes, `must be ${modes.slice(0, -1).join(', ')} or ${modes.at(-1)}`).openapi({
      description:
        'What Word allows: `readOnly` no changes, `comments` comments, `trackedChanges` changes that are tracked, `forms` filling in content controls and form fields. With `recommended`, Word asks whether to open the document read-only.',
    }),
    password: optionalField(plainLine(1, 15)).openapi({
      description:
        'Turns the protection off in Word, which compares at most 15 characters. With `recommended`, Word asks for it before it allows changes. Everybody can read the document without it.',
    }),
  } satisfies FieldsOf<DocxProtection>)
  .openapi('DocxProtection', {
    description: 'What Word allows in the document. Other programs may ignore it, because the file is not encrypted.',
  });

const docxFields = {
  contentControls: optionalField(contentControls).openapi(controlsNote),
  comments: optionalField(z.enum(['keep', 'remove'], 'must be keep or remove')).openapi({
    description: 'Whether to keep or remove the comments of the template and their authors. Default: `keep`.',
  }),
  trackedChanges: optionalField(z.enum(['keep', 'accept'], 'must be keep or accept')).openapi({
    description: 'Whether to keep or accept the tracked changes of the template. Default: `keep`.',
  }),
  protection: optionalObject(docxProtection).openapi({
    description: 'What Word allows in the document. Default: as in the template.',
  }),
} satisfies FieldsOf<DocxOptions>;

const docxOptions = z
  .strictObject({ externalContent: optionalField(externalContent).openapi(externalNote), ...docxFields })
  .openapi('DocxOptions', { description: 'Options of the .docx; without effect on PDFs.' });

/** `output.docx` as stored in rows, without `externalContent`. Later layers override earlier ones. */
export function toDocxOptions(
  ...layers: readonly (z.output<typeof docxOptions> | undefined)[]
): DocxOptions | undefined {
  const given = layers.flatMap((layer) => Object.entries(layer ?? {}));
  const options = given.filter(([name, value]) => name in docxFields && value !== undefined);
  return options.length === 0 ? undefined : Object.fromEntries(options);
}

/** The fields of `output` that control formatting and missing values. */
export const renderOptions = {
  locale: optionalField(fields.locale).openapi(notes.locale),
  timezone: optionalField(fields.timezone).openapi(notes.timezone),
  onMissing: optionalField(fields.onMissing).openapi(notes.onMissing),
  onMissingGlyph: optionalField(fields.onMissingGlyph).openapi(glyphNote),
  documentDate: optionalField(fields.documentDate).openapi(notes.documentDate),
  docx: optionalObject(docxOptions).openapi({ description: 'Options of the .docx; without effect on PDFs.' }),
};

/** An option of the .docx that only batches take as a query parameter. */
export const controlsQuery = { contentControls: contentControls.optional().openapi(controlsNote) };

/** The same fields as query parameters. */
export const renderQuery = {
  locale: fields.locale.optional().openapi(notes.locale),
  timezone: fields.timezone.optional().openapi(notes.timezone),
  onMissing: fields.onMissing.optional().openapi(notes.onMissing),
  documentDate: fields.documentDate.optional().openapi(notes.documentDate),
  externalContent: externalContent.optional().openapi({ ...externalNote }),
};

/** `onMissingGlyph` as a query parameter. */
export const glyphQuery = { onMissingGlyph: fields.onMissingGlyph.optional().openapi(glyphNote) };

const permissions = z
  .strictObject({
    printing: optionalField(z.enum(['none', 'low', 'high'], 'must be none, low or high')).openapi({
      description: 'Allow printing: not at all, in low, or in full resolution.',
    }),
    changes: optionalField(
      z.enum(['none', 'assembly', 'forms', 'comments', 'all'], 'must be none, assembly, forms, comments or all'),
    ).openapi({ description: 'Allow changes; each value includes those before it.' }),
    copying: optionalField(z.boolean()).openapi({ description: 'Allow copying text and pictures.' }),
    accessibility: optionalField(z.boolean()).openapi({ description: 'Allow screen readers to read the text.' }),
  } satisfies FieldsOf<PdfPermissions>)
  .openapi('PdfPermissions', { description: 'What readers of the file may do. Whatever is not listed is allowed.' });

const encrypted = anyOf(given('password'), given('permissions'));
const unreadable = given('permissions', given('accessibility', isValue(false)));

/** The rules of `pdfOptions` that concern several fields, in JSON Schema. */
const pdfRules = neverAllowed(
  all(given('archive'), encrypted),
  all(given('accessible', isValue(true)), unreadable),
  all(given('archive', not(isValue('PDF/A-3b'))), given('attachments', hasItems)),
  all(given('invoice'), encrypted),
  all(given('invoice'), given('archive', not(isValue('PDF/A-3b')))),
);

const asPdf = given('format', isValue('pdf'));
const asXml = given('format', isValue('xml'));

/**
 * The rules for the output of a document: PDF options apply only to PDFs, and only a .docx highlights missing values.
 */
export const outputRules = neverAllowed(
  all(given('pdf'), not(asPdf)),
  all(given('xml'), not(asXml)),
  all(not(given('xml')), asXml),
  all(given('onMissing', isValue('highlight')), anyOf(asPdf, asXml)),
);

/** Enforces `outputRules`. */
export function checkOutputRules(
  output: {
    readonly format: OutputFormat;
    readonly pdf?: unknown;
    readonly xml?: unknown;
    readonly onMissing?: string | undefined;
  },
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const forbid = (field: string, message: string): void => addIssue({ code: 'custom', path: [field], message });
  if (output.format !== 'pdf' && output.pdf !== undefined) forbid('pdf', 'can only be given when output.format is pdf');
  if (output.format !== 'xml' && output.xml !== undefined) forbid('xml', 'can only be given when output.format is xml');
  if (output.format === 'xml' && output.xml === undefined)
    forbid('xml', 'is missing: a document of format xml is an invoice, which needs a profile');
  if (output.format !== 'docx' && output.onMissing === 'highlight')
    forbid('onMissing', 'can only be highlight when output.format is docx');
}

/** The options of a PDF, except those that contain files. */
const pdfFields = {
  engine: optionalField(z.enum(['auto', 'office'], 'must be auto or office')).openapi({
    description:
      'The layout engine: `office` is LibreOffice; `auto` is the `pdfEngine` of the template, unless another option of the PDF needs LibreOffice. Default: auto.',
  }),
  archive: optionalField(
    z.enum(['PDF/A-1b', 'PDF/A-2b', 'PDF/A-2u', 'PDF/A-3b'], 'must be PDF/A-1b, PDF/A-2b, PDF/A-2u or PDF/A-3b'),
  ).openapi({
    description: 'Produce an archive file (ISO 19005). Cannot be combined with `password` or `permissions`.',
  }),
  accessible: optionalField(z.boolean()).openapi({ description: 'Produce a tagged file that conforms to PDF/UA.' }),
  onNonconformance: optionalField(z.enum(['warn', 'error'], 'must be warn or error')).openapi({
    description:
      'What happens when the file fails the check of `archive` or `accessible`: `warn` answers it with a warning (the default), `error` rejects the request with the failures and charges nothing.',
  }),
  password: optionalField(plainLine(1, 127)).openapi({
    description:
      'Password to open the file, which is encrypted with AES-256. Readers use its first 127 bytes in UTF-8.',
  }),
  permissions: optionalObject(permissions).openapi({
    description: 'What readers of the file may do. Whatever is not listed is allowed.',
  }),
  watermark: optionalField(plainLine(1, 100)).openapi({ description: 'Text across every page.' }),
  pages: optionalField(
    z
      .string()
      .max(200)
      .regex(/^\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*$/, 'must be page numbers and ranges, such as 1-3,5'),
  ).openapi({ description: 'Only these pages, counted from 1.', example: '1-3,5' }),
  imageQuality: optionalField(z.int('must be a whole number').min(1).max(100)).openapi({
    description:
      'JPEG quality of pictures, which are also reduced to 300 dpi. By default pictures keep their resolution.',
  }),
} satisfies FieldsOf<Omit<PdfOptions, keyof PdfFileOptions | 'invoice'>>;

type SentPdfOptions = PdfOptions<string>;

/** The rules of `pdfRules`, with their messages. */
function checkPdfRules(
  { archive, accessible, password, permissions, attachments = [], invoice }: SentPdfOptions,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const forbid = (path: string[], message: string): void => addIssue({ code: 'custom', path, message });
  if (archive !== undefined && (password !== undefined || permissions !== undefined)) {
    const field = password === undefined ? 'permissions' : 'password';
    forbid([field], `cannot be used with ${archive}, which forbids encryption`);
  }
  if (archive !== undefined && archive !== 'PDF/A-3b' && attachments.length > 0)
    forbid(['attachments'], `cannot be used with ${archive}, which forbids attachments: request PDF/A-3b`);
  if (invoice !== undefined) {
    if (archive !== undefined && archive !== 'PDF/A-3b')
      forbid(['archive'], 'must be PDF/A-3b, or left out, for a PDF with an invoice');
    if (archive === undefined && (password !== undefined || permissions !== undefined))
      forbid(
        [password === undefined ? 'permissions' : 'password'],
        'cannot be used with an invoice, which requires PDF/A',
      );
    const names = ['factur-x.xml', 'xrechnung.xml'];
    for (const [index, { name }] of attachments.entries()) {
      if (names.includes(name.toLowerCase()))
        forbid(['attachments', String(index), 'name'], 'is the name of an invoice: use output.pdf.invoice');
    }
  }
  if (accessible === true && permissions?.accessibility === false)
    forbid(['permissions', 'accessibility'], 'must not be false in an accessible PDF');
}

/** `output.pdf`. Validates what does not depend on the document; the converter validates the rest. */
export const pdfOptions = z
  .strictObject({
    ...pdfFields,
    ...pdfFiles,
    invoice: optionalObject(hybridInvoice).openapi({ description: 'Embed an electronic invoice.' }),
  } satisfies FieldsOf<SentPdfOptions>)
  .superRefine(checkPdfRules)
  .openapi('PdfOptions', { description: 'Options of the PDF; only with `format` pdf.', ...pdfRules });

/** `output.pdf` of a batch and its rows, whose files are assets. */
export const batchPdfOptions = z
  .strictObject({
    ...pdfFields,
    ...batchPdfFiles,
    invoice: optionalObject(batchHybridInvoice).openapi({ description: 'Embed an electronic invoice.' }),
  })
  .superRefine(checkPdfRules)
  .openapi('BatchPdfOptions', { description: 'Options of the PDF; only with `format` pdf.', ...pdfRules });

const { password: _password, permissions: _permissions, ...previewFields } = pdfFields;

/** `output.pdf` of a preview, which cannot be encrypted and has no files of the request. */
export const previewPdfOptions = z.strictObject(previewFields).openapi('PreviewPdfOptions', {
  description:
    'Options of the PDF that the preview shows. LibreOffice lays out a file that is not stored, whatever `engine` says.',
});

/** The rules for the output of a preview that concern several fields, in JSON Schema. */
export const previewOutputRules = neverAllowed(all(given('pdf'), given('format', isValue('docx'))));
