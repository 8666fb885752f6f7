import { profiles } from '@docmill/einvoice';
import type { ClaimedDocument, DocumentWarning } from '../../shared/domain/documents/document-record.ts';
import { AppError } from '../../shared/errors.ts';
import { type InvoiceOptions, invoicePath } from '../../shared/invoice-options.ts';
import { required, type WorkerDeps } from '../deps.ts';
import type { DocumentInvoice, InvoiceSource } from '../einvoice/make-document-invoice.ts';
import type { JobRun } from '../job-run.ts';
import type { AttachedFile } from '../pdf/attach/attach-files.ts';
import type { InvoiceDeclaration } from '../pdf/attach/declare-invoice.ts';
import type { LoadedFiles } from './load-files.ts';

/** An invoice, ready to be embedded in a PDF. */
export interface HybridInvoice {
  readonly file: AttachedFile;
  readonly declaration: InvoiceDeclaration;
  readonly warnings: readonly DocumentWarning[];
}

/** Makes and validates the invoice that a request asks for. Throws `invoice_invalid` with the rules that it breaks. */
export async function produceInvoice(
  deps: WorkerDeps,
  job: JobRun,
  document: ClaimedDocument,
  {
    options,
    files,
    data,
  }: { readonly options: InvoiceOptions; readonly files: LoadedFiles; readonly data: Uint8Array },
): Promise<DocumentInvoice> {
  const { locale = 'en', timezone = 'UTC' } = document.renderOptions ?? {};
  const order = {
    source: sourceOf(document, { options, files, data }),
    profile: options.profile,
    syntax: options.syntax ?? 'cii',
    path: invoicePath(options),
    locale: { locale, timezone },
    isTest: document.isTest,
  };
  const owner = { account: document.accountId, addWorkMs: job.addWorkMs };
  return await job.stages.time('invoice', () => required(deps.docx, 'docx').makeInvoice(order, owner));
}

function sourceOf(
  { invoiceMap }: ClaimedDocument,
  {
    options,
    files,
    data,
  }: { readonly options: InvoiceOptions; readonly files: LoadedFiles; readonly data: Uint8Array },
): InvoiceSource {
  const [given] = files.invoice;
  if (given !== undefined) return { kind: options.data === undefined ? 'xml' : 'model', bytes: given.bytes };
  if (invoiceMap !== undefined) return { kind: 'mapping', bytes: data, mapping: invoiceMap };
  const path = invoicePath(options);
  const message =
    'has neither XML nor data, and the version of the template has no invoice mapping: send content, asset or data, or upload the template with an invoiceMap';
  throw new AppError('invalid_request', `${path}: ${message}`, { details: [{ type: 'Field', path, message }] });
}

/** How the invoice is embedded. */
export function toHybrid({ xml, warnings }: DocumentInvoice, { profile, relationship }: InvoiceOptions): HybridInvoice {
  const isXRechnung = profile === 'xrechnung';
  const name = isXRechnung ? 'xrechnung.xml' : 'factur-x.xml';
  const { conformanceLevel } = { conformanceLevel: '', ...profiles[profile] };
  // These profiles are not complete invoices, so that they cannot be an alternative to the pages.
  const isPartial = profile === 'minimum' || profile === 'basic-wl';
  const file = {
    name,
    mediaType: 'text/xml',
    description: 'Electronic invoice',
    relationship: relationship ?? (isPartial ? 'Data' : 'Alternative'),
    bytes: xml,
  } as const;
  return { file, declaration: { fileName: name, conformanceLevel, version: isXRechnung ? '3.0' : '1.0' }, warnings };
}
