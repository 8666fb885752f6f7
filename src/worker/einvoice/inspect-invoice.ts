import {
  type Finding,
  type InvoiceReport,
  type SeverityOf,
  UnreadableInvoice,
  validateInvoice,
} from '@docmill/einvoice';
import { AppError } from '../../shared/errors.ts';
import { UnreadablePdf } from '../pdf/conformance/open-pdf.ts';
import { type EmbeddedInvoice, findEmbeddedInvoice } from './embedded-invoice.ts';
import type { PagesComparison } from './pages/compare-pages.ts';

export interface InvoiceInspection extends InvoiceReport {
  /** The attachment of the PDF that contains the invoice; undefined if the file is the XML itself. */
  readonly attachment: Omit<EmbeddedInvoice, 'xml'> | undefined;
}

/** An inspection with the comparison of its pages; undefined for XML. */
export interface ComparedInspection extends InvoiceInspection {
  readonly comparison: PagesComparison | undefined;
}

interface InspectedFile {
  readonly invoice: InvoiceInspection;
  /** The XML of a PDF. */
  readonly xml: Uint8Array | undefined;
}

/** Validates an invoice, as XML or in a PDF. Throws `invalid_request` for a file that is neither. */
export async function inspectInvoice(bytes: Buffer): Promise<InspectedFile> {
  try {
    if (!bytes.subarray(0, 1024).includes('%PDF-'))
      return { invoice: { ...validateInvoice(bytes), attachment: undefined }, xml: undefined };
    const embedded = await findEmbeddedInvoice(bytes);
    if (embedded === undefined) throw new UnreadableInvoice('The PDF has no attached invoice, such as factur-x.xml.');
    const { xml, ...attachment } = embedded;
    const report = validateInvoice(xml, attachment.name.toLowerCase() === 'zugferd-invoice.xml' ? relaxed : undefined);
    const findings = [...ofPdf(attachment, report), ...report.findings];
    return { invoice: { ...report, findings, attachment }, xml };
  } catch (error) {
    if (error instanceof UnreadableInvoice) throw refusal(error.message);
    if (error instanceof UnreadablePdf) throw refusal(`The PDF cannot be read: ${error.message}.`);
    throw error;
  }
}

/** An inspection whose pages could not be compared says so. */
export function withComparison(invoice: InvoiceInspection, comparison: PagesComparison): ComparedInspection {
  if (comparison.differences !== undefined) return { ...invoice, comparison };
  const text = `The pages were not compared with the invoice: ${comparison.problem ?? 'they cannot be read'}`;
  const location = '/rsm:CrossIndustryInvoice';
  const finding: Finding = { id: 'pdf-pages', severity: 'information', text, businessTerms: [], location, line: 1 };
  return { ...invoice, findings: [...invoice.findings, finding], comparison };
}

/** The metadata of the PDF must declare the same profile as the XML, because some programs read only the metadata. */
function ofPdf({ conformanceLevel }: Omit<EmbeddedInvoice, 'xml'>, { profile }: InvoiceReport): readonly Finding[] {
  if (profile === undefined || isNamed(conformanceLevel, profile)) return [];
  const said = conformanceLevel === undefined ? 'declares no profile' : `declares the profile "${conformanceLevel}"`;
  const text = `The metadata of the PDF ${said}, but the invoice has the profile "${profile}".`;
  return [
    {
      id: 'pdf-profile',
      severity: 'fatal',
      text,
      businessTerms: ['BT-24'],
      location: '/rsm:CrossIndustryInvoice',
      line: 1,
    },
  ];
}

/** The codes of the rules are newer than ZUGFeRD 2.0, which allowed others; later releases name the attachment factur-x.xml. */
const relaxed: SeverityOf = (id, severity) => (id.startsWith('BR-CL-') && severity === 'fatal' ? 'warning' : severity);

/** Whether the metadata declares this profile. EN 16931 is written with or without the space. */
const isNamed = (level: string | undefined, profile: string): boolean =>
  level?.replaceAll(' ', '').toUpperCase() === profile.replaceAll(' ', '').toUpperCase();

function refusal(message: string): AppError {
  return new AppError('invalid_request', `file: ${message}`, { details: [{ type: 'Field', path: 'file', message }] });
}
