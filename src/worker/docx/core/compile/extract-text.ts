import { breakInParagraph, endOfParagraph } from '../../language/text-marks.ts';
import { localName, scanXmlTags, tagName } from '../../package/xml-tokens.ts';

/** Elements whose text is filled, as in docxtemplater's Word configuration with the values of charts. */
const textElements = new Set(
  (
    'w:t a:t m:t vt:lpstr vt:lpwstr Company HyperlinkBase Manager cp:category cp:keywords cp:contentStatus dc:creator ' +
    'dc:description dc:subject dc:title PublishDate Abstract CompanyAddress CompanyPhone CompanyFax CompanyEmail c:v'
  ).split(' '),
);
const paragraphElements = new Set(['w:p', 'a:p']);
const breakElements = new Set(['w:br', 'w:cr', 'w:tab', 'a:br']);

const localNames = new Set([...textElements, ...paragraphElements, ...breakElements].map(localName));

/**
 * The text of a part in document order, still XML-escaped, with the runs of each paragraph joined. Each paragraph and
 * document property ends with `endOfParagraph`; line breaks and tabs become `breakInParagraph`.
 */
export function extractText(xml: string): string {
  const pieces: string[] = [];
  let textStart = -1;
  scanXmlTags(xml, (tag) => {
    if (!localNames.has(tag.local)) return;
    const { kind, start, end } = tag;
    const name = tagName(xml, tag);
    if (textElements.has(name)) {
      if (kind === 'close' && textStart !== -1) {
        pieces.push(xml.slice(textStart, start));
        if (!name.endsWith(':t')) pieces.push(endOfParagraph);
      }
      textStart = kind === 'open' ? end : -1;
    } else if (paragraphElements.has(name)) {
      pieces.push(endOfParagraph);
    } else if (kind !== 'close' && breakElements.has(name)) {
      pieces.push(breakInParagraph);
    }
  });
  return pieces.join('');
}
