import { PdfDict, PdfName, type PdfObject, PdfString } from '@libpdf/core';
import { readXmp, textOf } from '../pdf/conformance/metadata/read-xmp.ts';
import { openPdf, type PdfFile, UnreadablePdf } from '../pdf/conformance/open-pdf.ts';

/** The invoice that a PDF carries. */
export interface EmbeddedInvoice {
  readonly xml: Uint8Array;
  /** The name of the attachment. */
  readonly name: string;
  /** The profile that the metadata of the PDF declares, such as `EN 16931`; undefined if it declares none. */
  readonly conformanceLevel: string | undefined;
  /** Its relationship to the pages, such as `Alternative` (ISO 32000-2, 7.11.3). */
  readonly relationship: string | undefined;
}

/**
 * The names that Factur-X 1.0, XRechnung, and ZUGFeRD 2.0 and 1.0 prescribe. If a file has several, the first in this
 * list counts.
 */
const names = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml'];
const namespaces = [
  'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
  'urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#',
  'urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#',
];
const maxNodes = 1_000;
/** What a report repeats of the PDF is a word or two. */
const maxWordChars = 100;

/**
 * Finds the invoice among the attachments of a PDF; undefined if there is none. Throws `UnreadablePdf` for a file that is
 * damaged or encrypted.
 */
export async function findEmbeddedInvoice(bytes: Uint8Array): Promise<EmbeddedInvoice | undefined> {
  try {
    return findIn(await openPdf(bytes));
  } catch (error) {
    // The library reads and decrypts objects when they are used, and throws errors of any kind.
    throw error instanceof UnreadablePdf ? error : new UnreadablePdf('it is damaged', { cause: error });
  }
}

function findIn(file: PdfFile): EmbeddedInvoice | undefined {
  const attachments = attachmentsOf(file).map((specification) => ({
    specification,
    name: nameOf(file, specification),
  }));
  for (const wanted of names) {
    const found = attachments.find(({ name }) => name?.toLowerCase() === wanted);
    const xml = found && contentOf(file, found.specification);
    if (found?.name === undefined || xml === undefined) continue;
    const relationship = file.name(found.specification, 'AFRelationship')?.slice(0, maxWordChars);
    return { xml, name: found.name, conformanceLevel: conformanceLevelOf(file), relationship };
  }
  return undefined;
}

/** The file specifications of the name tree (ISO 32000-1, 7.7.4), then those associated with the document. */
function attachmentsOf(file: PdfFile): readonly PdfDict[] {
  const found: PdfDict[] = [];
  const nodes: (PdfDict | undefined)[] = [file.dict(file.dict(file.catalog, 'Names'), 'EmbeddedFiles')];
  for (let visited = 0; nodes.length > 0 && visited < maxNodes; visited++) {
    const node = nodes.pop();
    // A list may be too long for the arguments of a call.
    for (const specification of dictsOf(file.array(node, 'Names'))) found.push(specification);
    for (const kid of dictsOf(file.array(node, 'Kids'))) nodes.push(kid);
  }
  return [...found, ...dictsOf(file.array(file.catalog, 'AF'))];
}

const dictsOf = (values: readonly (PdfObject | undefined)[] | undefined): readonly PdfDict[] =>
  (values ?? []).filter((value) => value instanceof PdfDict);

function nameOf(file: PdfFile, specification: PdfDict): string | undefined {
  const value = file.get(specification, 'UF') ?? file.get(specification, 'F');
  if (value instanceof PdfName) return value.value;
  return value instanceof PdfString ? value.asString() : undefined;
}

function contentOf(file: PdfFile, specification: PdfDict): Uint8Array | undefined {
  const embedded = file.dict(specification, 'EF');
  const stream = file.stream(embedded, 'F') ?? file.stream(embedded, 'UF');
  return stream && file.decode(stream);
}

function conformanceLevelOf(file: PdfFile): string | undefined {
  const stream = file.stream(file.catalog, 'Metadata');
  const bytes = stream && file.decode(stream);
  const xmp = bytes && readXmp(bytes);
  if (xmp === undefined) return undefined;
  const levels = namespaces.map((namespace) => textOf(xmp, namespace, 'ConformanceLevel'));
  return levels.find((level) => level !== undefined)?.slice(0, maxWordChars);
}
