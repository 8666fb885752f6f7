import type { OutlineEntry } from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import type { Item, LineItem } from '../layout/items.ts';
import type { Page } from '../layout/page.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type PdfObjects, pdfNumber, textString } from './pdf-objects.ts';

const twipsPerPoint = 20;

interface Node {
  readonly number: number;
  readonly title: string;
  /** -1 for the outline's root. */
  readonly level: number;
  readonly destination: string;
  readonly children: Node[];
}

/**
 * Writes the outline (ISO 32000-1, 12.3.3), fully expanded, with an entry for each heading. `numbers` are the object
 * numbers of the pages. Returns its own object number; undefined if there are no headings. Throws UnknownFeature.
 */
export function writeOutline(
  objects: PdfObjects,
  pages: readonly Page[],
  numbers: readonly number[],
): number | undefined {
  // Headings in rows that repeat on each page have only one entry.
  const seen = new Set<OutlineEntry>();
  let path: readonly Node[] = [];
  for (const [index, page] of pages.entries()) {
    for (const item of page.items) {
      if (!isHeading(item) || seen.has(item.outline)) continue;
      seen.add(item.outline);
      const { title, level } = item.outline;
      path =
        path.length === 0 ? [{ number: objects.reserve(), title: '', level: -1, destination: '', children: [] }] : path;
      // The parent of a heading is the last preceding one of a higher level.
      const parents = path.slice(0, 1 + path.findLastIndex((node) => node.level < level));
      const destination = `[${numbers[index]} 0 R /XYZ ${placeOf(item, page.geometry.height)} 0]`;
      const node = { number: objects.reserve(), title, level, destination, children: [] };
      parents.at(-1)?.children.push(node);
      path = [...parents, node];
    }
  }
  const [root] = path;
  if (root !== undefined) writeNode(objects, root, '');
  return root?.number;
}

function isHeading(item: Item): item is LineItem & { readonly outline: OutlineEntry } {
  return item.kind === 'line' && item.outline !== undefined;
}

/** The destination of a heading: the left end of its first character and the top of its line. Throws UnknownFeature. */
function placeOf({ left, top, line, outline }: LineItem, height: number): string {
  const fragment = line.fragments[outline?.hasLabel === true ? 1 : 0];
  if (fragment?.kind !== 'text') throw new UnknownFeature('a heading that does not begin on its first line');
  const x = outline?.tabLeft ?? fragment.x / dotsPerTwip;
  const place = [left + x, height - top];
  return place.map((twips) => pdfNumber(twips / twipsPerPoint)).join(' ');
}

/** Returns the number of entries below it. */
function writeNode(
  objects: PdfObjects,
  { number, title, level, destination, children }: Node,
  relations: string,
): number {
  let count = children.length;
  for (const [index, child] of children.entries()) {
    const [before, behind] = [children[index - 1], children[index + 1]];
    const siblings = `${before ? ` /Prev ${before.number} 0 R` : ''}${behind ? ` /Next ${behind.number} 0 R` : ''}`;
    count += writeNode(objects, child, ` /Parent ${number} 0 R${siblings}`);
  }
  const [first, last] = [children.at(0), children.at(-1)];
  const inner = first && last ? ` /First ${first.number} 0 R /Last ${last.number} 0 R /Count ${count}` : '';
  const own = level === -1 ? ' /Type /Outlines' : ` /Title ${textString(title)} /Dest ${destination}`;
  objects.set(number, `<<${`${own}${relations}${inner}`.trimStart()}>>`);
  return count;
}
