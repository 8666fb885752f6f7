import { PdfRef } from '@libpdf/core';
import { readPdfFile, writePdfFile } from '../../pdf-file.ts';
import { openPdf, type PdfFile, UnreadablePdf } from '../open-pdf.ts';
import { readStructure } from '../structure/read-structure.ts';
import { collectChanges } from './changes.ts';
import { adoptLinks, describeLinks } from './complete-links.ts';
import { linkNotes, nameNotes } from './complete-notes.ts';
import { openTaggedFile, type TaggedFile } from './tagged-file.ts';

/**
 * Adds what PDF/UA requires of a tagged PDF and LibreOffice leaves out: descriptions of links, links in the structure,
 * identifiers of notes, and the tab order; for PDF/A also the description of PDF/UA's own metadata. Returns the PDF
 * itself if nothing is missing or the file cannot be read. Time and memory depend on the file, so run this in a process
 * with limits.
 */
export async function completeTags(pdf: Uint8Array): Promise<Uint8Array> {
  const raw = readPdfFile(pdf);
  const file = raw === undefined ? undefined : await openOrSkip(pdf);
  if (raw === undefined || file === undefined) return pdf;
  const structure = readStructure(file);
  if (!structure.hasRoot || !structure.isComplete) return pdf;
  const changes = collectChanges(raw);
  const tagged = openTaggedFile(file, structure, changes);
  orderTabs(tagged);
  nameNotes(tagged);
  adoptLinks(tagged);
  describeLinks(tagged);
  linkNotes(tagged);
  describeSchema(tagged);
  const completed = changes.apply();
  return completed === raw ? pdf : writePdfFile(completed);
}

async function openOrSkip(pdf: Uint8Array): Promise<PdfFile | undefined> {
  try {
    return await openPdf(pdf);
  } catch (error) {
    if (error instanceof UnreadablePdf) return undefined;
    throw error;
  }
}

/** The tab order follows the structure (ISO 14289-1, 7.18.3); LibreOffice 7.4 writes a string instead of the name. */
function orderTabs({ file, changes }: TaggedFile): void {
  for (const { dict, ref } of file.pages) {
    const hasAnnotations = (file.array(dict, 'Annots') ?? []).length > 0;
    if (hasAnnotations && file.name(dict, 'Tabs') !== 'S') changes.setEntry(ref.objectNumber, 'Tabs', '/S');
  }
}

const schema = `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema><pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
`;

/** PDF/A requires a description of the schema that declares PDF/UA (ISO 19005-2, 6.6.2.3), which LibreOffice 7.4 does not write. */
function describeSchema({ file, changes }: TaggedFile): void {
  const metadata = file.catalog.get('Metadata');
  const stream = file.stream(file.catalog, 'Metadata');
  if (!(metadata instanceof PdfRef) || stream === undefined || stream.has('Filter')) return;
  const packet = Buffer.from(stream.data).toString('latin1');
  const needsDescription = packet.includes('<pdfaid:part>') && packet.includes('<pdfuaid:part>');
  if (!needsDescription || packet.includes('<pdfaExtension:schemas>')) return;
  changes.replaceText(metadata.objectNumber, '</rdf:RDF>', `${schema}</rdf:RDF>`);
}
