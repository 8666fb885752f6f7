import PizZip from 'pizzip';

/** The words of a document's body in their order: two sides that differ in it did not do the same work. */
export function wordsOf(docx: Buffer): string {
  const xml = new PizZip(docx).file('word/document.xml')?.asText() ?? '';
  const texts = [...xml.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map(([, text = '']) => text.trim());
  return texts.filter((text) => text !== '').join(' ');
}
