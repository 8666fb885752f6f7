import type { DocumentProperties } from '../document/tree.ts';
import { addOutputIntent } from './output-intent.ts';
import type { PdfObjects } from './pdf-objects.ts';

/** The standards that a PDF declares. It conforms to them as far as the document allows. */
export interface Standards {
  /** A part of PDF/A and its level (ISO 19005). */
  readonly archive?: 'PDF/A-2b' | 'PDF/A-2u' | 'PDF/A-3b' | undefined;
  /** PDF/UA-1 (ISO 14289-1), with a title for documents that have none. */
  readonly accessible?: { readonly title: string } | undefined;
}

export const producer = 'Docmill';

/** Adds the title and the language that PDF/UA requires. The default language is the same as LibreOffice's. */
export function withRequired(properties: DocumentProperties, { accessible }: Standards): DocumentProperties {
  if (accessible === undefined) return properties;
  return { ...properties, title: properties.title ?? accessible.title, language: properties.language ?? 'en-US' };
}

/** The catalog entries that declare the standards. Adds the objects that they refer to. */
export function declareStandards(objects: PdfObjects, properties: DocumentProperties, standards: Standards): string {
  const { archive, accessible } = standards;
  if (archive === undefined && accessible === undefined) return '';
  const packet = Buffer.from(writeMetadata(properties, standards));
  // Not compressed, so that programs that do not understand PDF can find it.
  const metadata = ` /Metadata ${objects.addStream('/Type /Metadata /Subtype /XML', packet, true)} 0 R`;
  const intent = archive === undefined ? '' : ` /OutputIntents [${addOutputIntent(objects)} 0 R]`;
  const title = accessible === undefined ? '' : ' /ViewerPreferences <</DisplayDocTitle true>>';
  return `${metadata}${intent}${title}`;
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=(?:\.\d+)?Z$)/;

/** A time in UTC, to the second; undefined for any other text. */
export function utcTime(text: string | undefined): string | undefined {
  const [found] = time.exec(text ?? '') ?? [];
  return found && `${found}Z`;
}

/** The XMP packet (ISO 16684-1), which agrees with the document information (ISO 19005-1, 6.7.3). */
function writeMetadata(properties: DocumentProperties, { archive, accessible }: Standards): string {
  const { title, subject, keywords, author, created } = properties;
  const [, part, level = ''] = /^PDF\/A-(\d)(.)$/.exec(archive ?? '') ?? [];
  const of = (value: string | undefined, write: (text: string) => string): string =>
    value === undefined ? '' : `${write(escaped(value))}\n`;
  const inLanguage = (name: string) => (text: string) =>
    `<${name}><rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt></${name}>`;
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n',
    `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:pdfuaid="${accessibility}">\n`,
    of(title, inLanguage('dc:title')),
    of(subject, inLanguage('dc:description')),
    of(author, (text) => `<dc:creator><rdf:Seq><rdf:li>${text}</rdf:li></rdf:Seq></dc:creator>`),
    of(keywords, (text) => `<pdf:Keywords>${text}</pdf:Keywords>`),
    of(producer, (text) => `<pdf:Producer>${text}</pdf:Producer>`),
    of(utcTime(created), (text) => `<xmp:CreateDate>${text}</xmp:CreateDate>`),
    of(part, (text) => `<pdfaid:part>${text}</pdfaid:part>`),
    of(part && level.toUpperCase(), (text) => `<pdfaid:conformance>${text}</pdfaid:conformance>`),
    accessible === undefined ? '' : '<pdfuaid:part>1</pdfuaid:part>\n',
    '</rdf:Description>\n',
    archive === undefined || accessible === undefined ? '' : schema,
    '</rdf:RDF></x:xmpmeta>\n<?xpacket end="r"?>',
  ].join('');
}

const accessibility = 'http://www.aiim.org/pdfua/ns/id/';

/** PDF/A requires a description of the schema that declares PDF/UA (ISO 19005-2, 6.6.2.3). */
const schema = `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${accessibility}</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string): string {
  return text.toWellFormed().replaceAll(/[&<>]/g, (character) => entities[character] ?? '');
}
