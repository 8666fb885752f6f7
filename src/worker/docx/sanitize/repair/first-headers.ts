import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';

const referenceNames = ['headerReference', 'footerReference'] as const;
const off = /^(?:0|false|off)$/;

interface Section {
  /** The offset of its properties, after the start tag. */
  readonly start: number;
  /** Its own references to the first page's header and footer, as markup. */
  readonly own: Map<string, string>;
  hasFirstPage: boolean;
}

/**
 * Repeats the first page's header and footer in sections that inherit them from one that does not show them (ECMA-376
 * part 1, 17.10.5). Otherwise LibreOffice 25.2 prints the header and footer of the other pages. Undefined if there are
 * none.
 */
export function repeatFirstHeaders(xml: string): string | undefined {
  if (!/titlePg\b/.test(xml)) return undefined;
  const edits = new TextEdits();
  const inherited = new Map<string, string>();
  let section: Section | undefined;
  let earlierProperties = 0;
  scanXmlTags(xml, (tag) => {
    if (tag.local === 'sectPrChange') {
      if (tag.kind !== 'empty') earlierProperties += tag.kind === 'open' ? 1 : -1;
    } else if (earlierProperties > 0) return;
    else if (tag.local === 'sectPr') {
      if (tag.kind === 'open') section = { start: tag.end, own: new Map(), hasFirstPage: false };
      if (tag.kind !== 'close' || section === undefined) return;
      const { start, own, hasFirstPage } = section;
      section = undefined;
      for (const name of referenceNames) {
        const reference = own.get(name) ?? inherited.get(name);
        if (reference === undefined) continue;
        if (hasFirstPage && !own.has(name)) edits.replace(start, start, reference);
        // LibreOffice itself passes on what a section has shown.
        if (hasFirstPage) inherited.delete(name);
        else inherited.set(name, reference);
      }
    } else if (section === undefined || tag.kind === 'close') return;
    else if (tag.local === 'titlePg') section.hasFirstPage = !off.test(attributeOf(xml, tag, 'val') ?? '');
    else if (referenceNames.some((name) => name === tag.local) && attributeOf(xml, tag, 'type') === 'first')
      section.own.set(tag.local, `${xml.slice(tag.start, tag.end).replace(/\s*\/?>$/, '')}/>`);
  });
  return edits.isEmpty ? undefined : edits.apply(xml);
}
