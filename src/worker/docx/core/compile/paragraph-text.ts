import { localName, scanXmlTags, tagName } from '@docmill/word/xml-tokens';

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

interface TextVisitor {
  /** The range of one text in the markup, still XML-escaped. */
  readonly onText: (start: number, end: number) => void;
  /** A line break or a tab. */
  readonly onBreak: () => void;
  /** The end of a paragraph or of a document property. */
  readonly onParagraphEnd: () => void;
}

/** Visits the text of a part that may hold tags, in document order. */
export function visitText(xml: string, { onText, onBreak, onParagraphEnd }: TextVisitor): void {
  let textStart = -1;
  scanXmlTags(xml, (tag) => {
    if (!localNames.has(tag.local)) return;
    const { kind, start, end } = tag;
    const name = tagName(xml, tag);
    if (textElements.has(name)) {
      if (kind === 'close' && textStart !== -1) {
        onText(textStart, start);
        if (!name.endsWith(':t')) onParagraphEnd();
      }
      textStart = kind === 'open' ? end : -1;
    } else if (paragraphElements.has(name)) {
      onParagraphEnd();
    } else if (kind !== 'close' && breakElements.has(name)) {
      onBreak();
    }
  });
}
