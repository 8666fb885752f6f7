import type { DocumentReader } from '../document/open-reader.ts';
import { parseElement } from '../document/parse-element.ts';
import type { XmlElement } from '../document/xml-element.ts';
import { spaceAtEnd } from '../layout/stack.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { breakLines } from './break-lines.ts';
import { stackText, type TextContext } from './lay-out-text-row.ts';
import { looks, type TextTable } from './read-text-table.ts';

/** A header that leaves less than this of its margin free moves the text below it, or nearly does. */
const leastFreeTwips = 100;
/** Elements without a height of their own: tabs, and the codes of fields, whose results are text. */
const withoutHeight: ReadonlySet<string> = new Set([
  ...looks,
  ...['w:fldChar', 'w:instrText', 'w:tab', 'w:ptab', 'w:tabs'],
]);

/**
 * Throws UnknownFeature unless all headers and footers of a section fit in the margins, so that they do not change the
 * height available on its pages.
 */
export function requireSpace(reader: DocumentReader, section: TextTable, context: TextContext): void {
  const { geometry, headers, footers } = section;
  const width = geometry.width - geometry.left - geometry.right;
  const [above, below] = [geometry.top - geometry.header, geometry.bottom - geometry.footer];
  for (const [ids, free] of [[headers, above] as const, [footers, below] as const]) {
    for (const id of ids) {
      const blocks = reader.readStory(id, parseStory);
      const { height, last } = stackText(
        blocks,
        context,
        (paragraph) => breakLines(paragraph, width, context.fontOf).heights,
      );
      if (height + spaceAtEnd(last) + leastFreeTwips > free)
        throw new UnknownFeature('a header or footer that fills its margin');
    }
  }
}

function parseStory(xml: string): XmlElement {
  return withFieldResults(parseElement(xml, withoutHeight));
}

/** The element with its fields replaced by their results as text (ECMA-376 part 1, 17.16.19). */
function withFieldResults({ name, attributes, text, children }: XmlElement): XmlElement {
  const shown = children.map(withFieldResults);
  return {
    name,
    attributes,
    text,
    children: shown.flatMap((child) => (child.name === 'w:fldSimple' ? child.children : [child])),
  };
}
