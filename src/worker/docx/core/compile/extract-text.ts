import { breakInParagraph, endOfParagraph } from '../../language/text-marks.ts';
import { elementName } from '../../package/xml-tokens.ts';

/** Elements whose text is filled: the list of docxtemplater's Word configuration. */
const textElements = new Set(
  (
    'w:t a:t m:t vt:lpstr vt:lpwstr Company HyperlinkBase Manager cp:category cp:keywords cp:contentStatus dc:creator ' +
    'dc:description dc:subject dc:title PublishDate Abstract CompanyAddress CompanyPhone CompanyFax CompanyEmail'
  ).split(' '),
);
const paragraphElements = new Set(['w:p', 'a:p']);
const breakElements = new Set(['w:br', 'w:cr', 'w:tab', 'a:br']);

/**
 * The text of a part in document order, still XML-escaped, the runs of a paragraph joined as Word's reader sees them;
 * each paragraph (and each document property) ends with `endOfParagraph`, line breaks and tabs are `breakInParagraph`.
 */
export function extractText(xml: string): string {
  const pieces: string[] = [];
  let textStart = -1;
  let at = xml.indexOf('<');
  while (at !== -1) {
    const close = xml.indexOf('>', at);
    if (close === -1) break;
    const isEnd = xml.charCodeAt(at + 1) === 47;
    const name = elementName(xml, isEnd ? at + 2 : at + 1, close);
    const isEmpty = xml.charCodeAt(close - 1) === 47;
    if (textElements.has(name)) {
      if (isEnd && textStart !== -1) {
        pieces.push(xml.slice(textStart, at));
        if (!name.endsWith(':t')) pieces.push(endOfParagraph);
      }
      textStart = isEnd || isEmpty ? -1 : close + 1;
    } else if (paragraphElements.has(name)) {
      pieces.push(endOfParagraph);
    } else if (!isEnd && breakElements.has(name)) {
      pieces.push(breakInParagraph);
    }
    at = xml.indexOf('<', close);
  }
  return pieces.join('');
}
