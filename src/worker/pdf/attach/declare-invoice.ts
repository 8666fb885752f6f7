import { dictionaryOf, readPdfFile, streamOf, withStream, writePdfFile } from '../pdf-file.ts';

export interface InvoiceDeclaration {
  readonly fileName: string;
  /** Such as `EN 16931`. */
  readonly conformanceLevel: string;
  readonly version: string;
}

/**
 * Declares the embedded invoice in the metadata of a PDF (Factur-X 1.0, 6.3), with the description of its properties
 * that PDF/A requires (ISO 19005-3, 6.6.2.3).
 */
export function declareInvoice(pdf: Uint8Array, declaration: InvoiceDeclaration): Buffer {
  const file = readPdfFile(pdf);
  const objects = new Map((file?.objects ?? []).map((object) => [object.number, object]));
  const root = objects.get(Number(/\/Root\s+(\d+) 0 R/.exec(file?.trailer ?? '')?.[1]));
  const reference = /\/Metadata\s+(\d+) 0 R/.exec(root === undefined ? '' : dictionaryOf(root))?.[1];
  const metadata = objects.get(Number(reference));
  const packet = metadata && streamOf(metadata, objects)?.toString('utf8');
  if (file === undefined || metadata === undefined || packet?.includes('</rdf:RDF>') !== true)
    throw new Error('the PDF has no metadata that can be extended');
  const changed = withDeclaration(packet, declaration);
  const changes = new Map(withStream(metadata, Buffer.from(changed), objects).map((object) => [object.number, object]));
  return writePdfFile({ ...file, objects: file.objects.map((object) => changes.get(object.number) ?? object) });
}

const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

function withDeclaration(packet: string, { fileName, conformanceLevel, version }: InvoiceDeclaration): string {
  const values = `<rdf:Description rdf:about="" xmlns:fx="${namespace}">
<fx:DocumentType>INVOICE</fx:DocumentType>
<fx:DocumentFileName>${fileName}</fx:DocumentFileName>
<fx:Version>${version}</fx:Version>
<fx:ConformanceLevel>${conformanceLevel}</fx:ConformanceLevel>
</rdf:Description>
`;
  // A packet has one list of schemas, to which PDF/UA may have added its own.
  const list = /<pdfaExtension:schemas>\s*<rdf:Bag>/.exec(packet);
  if (list === null) {
    const described = `<rdf:Description rdf:about="" ${prefixes}><pdfaExtension:schemas><rdf:Bag>${schema}</rdf:Bag></pdfaExtension:schemas></rdf:Description>
`;
    return packet.replace('</rdf:RDF>', () => `${values}${described}</rdf:RDF>`);
  }
  const end = list.index + list[0].length;
  const schemas = schema.replace('<rdf:li ', `<rdf:li ${prefixes} `);
  const extended = `${packet.slice(0, end)}${schemas}${packet.slice(end)}`;
  return extended.replace('</rdf:RDF>', () => `${values}</rdf:RDF>`);
}

const prefixes =
  'xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"';

const property = (name: string, description: string): string =>
  `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description>
</rdf:li>`;

const schema = `<rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${[
  property('DocumentFileName', 'Name of the embedded XML invoice'),
  property('DocumentType', 'Type of the hybrid document'),
  property('Version', 'Version of the XML schema of the invoice'),
  property('ConformanceLevel', 'Profile of the invoice'),
].join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`;
