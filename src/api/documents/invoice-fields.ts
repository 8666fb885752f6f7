import { z } from '@hono/zod-openapi';
import {
  differenceChoices,
  hybridFormats,
  hybridProfiles,
  type InvoiceOptions,
  invoiceRelationships,
  invoiceSyntaxes,
  xmlProfiles,
} from '../../shared/invoice-options.ts';
import { optionalField, optionalObject } from '../http/optional-field.ts';
import { invalidField } from '../http/parse-request.ts';
import { all, given, isValue, neverAllowed } from '../http/schema-rules.ts';
import { fromAnywhere } from './file-fields.ts';
import { invoiceDataSchema } from './invoice-schemas.ts';

const listed = (values: readonly string[]): string => `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

const format = z.enum(hybridFormats, listed(hybridFormats)).openapi({
  description: 'The name of the standard. Both names give the same file: Factur-X 1.0 and ZUGFeRD 2.1 are equal.',
});
const hybridProfile = z.enum(hybridProfiles, listed(hybridProfiles)).openapi({
  description:
    'The profile, by extent. `minimum` and `basic-wl` have no lines: in Germany they are not invoices. `xrechnung` is attached as xrechnung.xml, all others as factur-x.xml.',
});
const relationship = z.enum(invoiceRelationships, listed(invoiceRelationships)).openapi({
  description:
    'How the XML relates to the pages (`AFRelationship`). Default: `Data` for `minimum` and `basic-wl`, otherwise `Alternative`. Set it if the recipient asks for another value.',
});
const onDifference = z.enum(differenceChoices, 'must be error or warn').openapi({
  description:
    'What happens if the pages do not show each value of the invoice: the document fails with `invoice_differs` (`error`, the default), or has a warning for each difference.',
});
const xmlProfile = z.enum(xmlProfiles, listed(xmlProfiles)).openapi({
  description: 'The specification that the invoice declares. Peppol BIS is `peppol`, which is UBL.',
});
const syntax = z.enum(invoiceSyntaxes, listed(invoiceSyntaxes)).openapi({
  description: 'Syntax of the XML. Default: `ubl` for `peppol`, otherwise `cii`.',
});

/** The API only checks that it is an object. A render process checks the rest: an invoice may have 10,000 lines. */
const data = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .openapi('InvoiceData', invoiceDataSchema);

const sources = {
  asset: fromAnywhere.asset.openapi({ description: 'Id or name of an asset with the XML.' }),
  content: fromAnywhere.content.openapi({ description: 'The XML in base64.' }),
  data: optionalObject(data).openapi({
    description:
      'The invoice in the terms of EN 16931, instead of its XML. Amounts that follow from others are computed.',
  }),
};

const oneSource = [
  all(given('asset'), given('content')),
  all(given('asset'), given('data')),
  all(given('content'), given('data')),
];

type Sent = Pick<InvoiceOptions<string>, 'asset' | 'content' | 'data'>;
type Context = Pick<z.core.$RefinementCtx, 'addIssue'>;

function checkSource({ asset, content, data }: Sent, { addIssue }: Context): void {
  const given = [asset, content, data].filter((source) => source !== undefined).length;
  if (given > 1) addIssue({ code: 'custom', path: [], message: 'must have only one of asset, content and data' });
}

const about =
  'It is made of `data`, or given as `asset` or `content`. With none of them, it is made of the data of the document by the invoice mapping of the template.';

/** `output.pdf.invoice`. */
export const hybridInvoice = z
  .strictObject({
    format,
    profile: hybridProfile,
    relationship: optionalField(relationship),
    onDifference: optionalField(onDifference),
    ...sources,
  })
  .superRefine(checkSource)
  .openapi('HybridInvoice', {
    description: `An electronic invoice in a PDF/A-3b. ${about}`,
    ...neverAllowed(...oneSource),
  });

/** `output.pdf.invoice` of a batch, whose rows have the data of their invoices. */
export const batchHybridInvoice = z
  .strictObject({
    format,
    profile: hybridProfile,
    relationship: optionalField(relationship),
    onDifference: optionalField(onDifference),
  })
  .openapi('BatchHybridInvoice', {
    description:
      'An electronic invoice in each PDF/A-3b, made of the data of the row by the invoice mapping of the template.',
  });

const xmlFields = { profile: xmlProfile, syntax: optionalField(syntax) };
const notPeppol = all(given('profile', isValue('peppol')), given('syntax', isValue('cii')));

function checkSyntax({ profile, syntax }: Pick<InvoiceOptions, 'profile' | 'syntax'>, { addIssue }: Context): void {
  if (profile === 'peppol' && syntax === 'cii')
    addIssue({ code: 'custom', path: ['syntax'], message: 'must be ubl for the profile peppol' });
}

/** `output.xml`. */
export const xmlInvoice = z
  .strictObject({ ...xmlFields, ...sources })
  .superRefine(checkSource)
  .superRefine(checkSyntax)
  .openapi('XmlInvoice', {
    description: `An electronic invoice without pages. ${about}`,
    ...neverAllowed(notPeppol, ...oneSource),
  });

/** `output.xml` of a batch. */
export const batchXmlInvoice = z
  .strictObject(xmlFields)
  .superRefine(checkSyntax)
  .openapi('BatchXmlInvoice', {
    description: 'An electronic invoice of each row, made of its data by the invoice mapping of the template.',
    ...neverAllowed(notPeppol),
  });

/** The invoices of a batch as query parameters. Only one of the profiles applies, by the format of the files. */
export const invoiceQuery = {
  invoiceProfile: z
    .enum([...new Set([...hybridProfiles, ...xmlProfiles])], listed([...new Set([...hybridProfiles, ...xmlProfiles])]))
    .optional()
    .openapi({
      description:
        'Makes an electronic invoice of each row by the invoice mapping of the template: in the PDF with `format` pdf, or alone with `format` xml. As `output.pdf.invoice.profile` and `output.xml.profile`. Only for NDJSON and CSV.',
    }),
  invoiceFormat: format.optional().openapi({
    description: 'As `output.pdf.invoice.format`. Default: `factur-x`. Only for NDJSON and CSV.',
  }),
  invoiceRelationship: relationship.optional().openapi({
    description: 'As `output.pdf.invoice.relationship`. Only for NDJSON and CSV.',
  }),
  invoiceOnDifference: onDifference.optional().openapi({
    description: 'As `output.pdf.invoice.onDifference`. Only for NDJSON and CSV.',
  }),
  invoiceSyntax: syntax.optional().openapi({ description: 'As `output.xml.syntax`. Only for NDJSON and CSV.' }),
};

type InvoiceQuery = { readonly [K in keyof typeof invoiceQuery]?: z.output<(typeof invoiceQuery)[K]> };

/** The fields of `output` for the query parameters of an invoice; the schema of a batch checks their values. */
export function outputOfQuery(
  output: string | undefined,
  {
    invoiceProfile: profile,
    invoiceFormat,
    invoiceRelationship: relationship,
    invoiceOnDifference: onDifference,
    invoiceSyntax: syntax,
  }: InvoiceQuery,
) {
  const refuse = (field: keyof InvoiceQuery, given: unknown, message: string): void => {
    if (given !== undefined) throw invalidField(field, message);
  };
  if (output === 'xml' && profile === undefined)
    throw invalidField('invoiceProfile', 'is missing: files of the format xml are invoices, which need a profile');
  if (output !== 'xml') refuse('invoiceSyntax', syntax, 'can only be given when format is xml');
  if (output !== 'pdf' || profile === undefined) {
    const message = output === 'pdf' ? 'needs invoiceProfile' : 'can only be given when format is pdf';
    refuse('invoiceFormat', invoiceFormat, message);
    refuse('invoiceRelationship', relationship, message);
    refuse('invoiceOnDifference', onDifference, message);
  }
  if (profile === undefined) return {};
  if (output === 'xml') {
    if (!isOneOf(xmlProfiles, profile)) throw invalidField('invoiceProfile', `${listed(xmlProfiles)} for XML`);
    if (profile === 'peppol' && syntax === 'cii')
      throw invalidField('invoiceSyntax', 'must be ubl for the profile peppol');
    return { xml: { profile, syntax } };
  }
  if (output !== 'pdf') throw invalidField('invoiceProfile', 'can only be given when format is pdf or xml');
  if (!isOneOf(hybridProfiles, profile)) throw invalidField('invoiceProfile', `${listed(hybridProfiles)} for PDFs`);
  return { pdf: { invoice: { format: invoiceFormat ?? ('factur-x' as const), profile, relationship, onDifference } } };
}

const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  (values as readonly string[]).includes(value);

/** The options with the default of their syntax. */
export const withSyntax = <Options extends Pick<InvoiceOptions, 'profile' | 'syntax'>>(options: Options): Options => ({
  ...options,
  syntax: options.syntax ?? (options.profile === 'peppol' ? 'ubl' : 'cii'),
});
