// The electronic invoice of a request: `output.pdf.invoice`, or `output.xml`.

import type { RequestFile, StoredContent } from './request-file.ts';

/** The profiles of hybrid PDFs, by extent. */
export const hybridProfiles = ['minimum', 'basic-wl', 'basic', 'en16931', 'extended', 'xrechnung'] as const;
/** The profiles that are sent as XML alone. */
export const xmlProfiles = ['en16931', 'xrechnung', 'peppol'] as const;
export type InvoiceProfile = (typeof hybridProfiles)[number] | (typeof xmlProfiles)[number];

export const invoiceSyntaxes = ['cii', 'ubl'] as const;
export type InvoiceSyntax = (typeof invoiceSyntaxes)[number];

/** ZUGFeRD 2.1 and newer, and Factur-X 1.0, are one standard with two names. */
export const hybridFormats = ['factur-x', 'zugferd'] as const;

/** What happens if the pages differ from the invoice. */
export const differenceChoices = ['error', 'warn'] as const;

/** How an embedded invoice may relate to the pages. */
export const invoiceRelationships = ['Data', 'Source', 'Alternative'] as const;

/**
 * Either the XML, as an asset or as `content`, or what it is made of: `data` in the terms of EN 16931, or else the data
 * of the document, by the mapping of the template.
 */
export interface InvoiceOptions<Content = StoredContent> extends RequestFile<Content> {
  /** Absent for XML alone. */
  readonly format?: (typeof hybridFormats)[number] | undefined;
  readonly profile: InvoiceProfile;
  /** Default: `cii`, the only one of hybrid PDFs. */
  readonly syntax?: InvoiceSyntax | undefined;
  /** The invoice as JSON. In a request, an object. */
  readonly data?: (Content extends string ? Readonly<Record<string, unknown>> : Content) | undefined;
  /** Default: `Data` for the profiles without lines (`minimum`, `basic-wl`), otherwise `Alternative`. */
  readonly relationship?: (typeof invoiceRelationships)[number] | undefined;
  /** What happens if the pages do not show the values of the invoice. Default: `error`. */
  readonly onDifference?: (typeof differenceChoices)[number] | undefined;
}

/** The path of the options in the request. */
export const invoicePath = ({ format }: Pick<InvoiceOptions, 'format'>): string =>
  format === undefined ? 'output.xml' : 'output.pdf.invoice';

/** The options as clients may see them: with digests instead of content. */
export function shownInvoice({ content, data, ...options }: InvoiceOptions) {
  const show = ({ sizeBytes, sha256 }: StoredContent) => ({ size: sizeBytes, sha256 });
  return { ...options, ...(content && { content: show(content) }), ...(data && { data: show(data) }) };
}
