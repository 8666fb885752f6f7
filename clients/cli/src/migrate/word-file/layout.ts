import type { Element, Node } from '@xmldom/xmldom';
import { isElement } from './paragraphs.ts';

/** Elements whose children are separate blocks. */
const blockHolders = new Set(
  'w:body w:tc w:txbxContent w:hdr w:ftr w:footnote w:endnote w:comment w:sdtContent w:docPartBody'.split(' '),
);
const blocks = new Set(['w:p', 'w:tbl', 'w:sdt']);

/** The blocks or rows from one element up to, but excluding, another. */
export interface Range {
  readonly kind: 'rows' | 'blocks' | 'cells' | 'other';
  readonly first: Element;
  readonly last: Element;
  /** The element after the range, which contains the second element. */
  readonly next: Element;
}

/** The rows or blocks between the elements of two paragraphs; `next` contains the second one. */
export function rangeBetween(from: Element, to: Element): Range | undefined {
  const chain = ancestors(from);
  let next: Node = to;
  while (next.parentNode !== null && !chain.includes(next.parentNode)) next = next.parentNode;
  const holder = next.parentNode;
  if (holder === null) return undefined;
  const first = chain[chain.indexOf(holder) - 1];
  if (first === undefined || first === next || !isElement(first) || !isElement(next)) return undefined;
  const last = previousElement(next);
  if (last === undefined) return undefined;
  return { kind: kindOf(holder.nodeName, first), first, last, next };
}

function kindOf(holder: string, first: Element): Range['kind'] {
  if (first.nodeName === 'w:tr') return 'rows';
  if (first.nodeName === 'w:tc') return 'cells';
  return blockHolders.has(holder) && blocks.has(first.nodeName) ? 'blocks' : 'other';
}

/** The element itself, then its ancestors. */
function ancestors(element: Element): readonly Node[] {
  const chain: Node[] = [];
  for (let node: Node | null = element; node !== null; node = node.parentNode) chain.push(node);
  return chain;
}

/** The innermost enclosing element with this name. */
export function closest(element: Element, name: string): Element | undefined {
  return ancestors(element).find((node): node is Element => isElement(node) && node.nodeName === name);
}

function previousElement(node: Node): Element | undefined {
  let before = node.previousSibling;
  while (before !== null && !isElement(before)) before = before.previousSibling;
  return before ?? undefined;
}

export function nextElement(node: Node): Element | undefined {
  let after = node.nextSibling;
  while (after !== null && !isElement(after)) after = after.nextSibling;
  return after ?? undefined;
}

export function contains(outer: Element, inner: Node): boolean {
  for (let node: Node | null = inner; node !== null; node = node.parentNode) if (node === outer) return true;
  return false;
}

/** Collects texts to add to the first and last paragraphs of rows. Sections of the same rows nest in call order. */
export class RowTags {
  readonly #opening = new Map<Element, string>();
  readonly #closing = new Map<Element, string>();

  /** Call for outer sections before inner ones. */
  add(first: Element, last: Element, open: string, close: string): void {
    this.#opening.set(first, (this.#opening.get(first) ?? '') + open);
    this.#closing.set(last, close + (this.#closing.get(last) ?? ''));
  }

  write(): void {
    for (const [row, text] of this.#opening) {
      const paragraph = descendants(row, 'w:p')[0];
      if (paragraph !== undefined) {
        const properties = [...children(paragraph)].find(({ nodeName }) => nodeName === 'w:pPr');
        paragraph.insertBefore(
          textRun(paragraph, text),
          properties?.nextSibling ?? firstContent(paragraph, properties),
        );
      }
    }
    for (const [row, text] of this.#closing) {
      const cell = [...children(row)].filter(({ nodeName }) => nodeName === 'w:tc' || nodeName === 'w:sdt').at(-1);
      const paragraph = cell === undefined ? undefined : lastParagraph(cell);
      paragraph?.appendChild(textRun(paragraph, text));
    }
  }
}

function firstContent(paragraph: Element, properties: Element | undefined): Node | null {
  return properties === undefined ? paragraph.firstChild : null;
}

/** The last paragraph of the cell itself, ignoring text boxes and inner tables. */
function lastParagraph(cell: Element): Element | undefined {
  const own = descendants(cell, 'w:p').filter((one) => closest(one, 'w:tc') === (closest(cell, 'w:tc') ?? cell));
  return (own.length === 0 ? descendants(cell, 'w:p') : own)
    .filter((one) => closest(one, 'w:txbxContent') === closest(cell, 'w:txbxContent'))
    .at(-1);
}

function* children(element: Element): Generator<Element> {
  for (let child = element.firstChild; child !== null; child = child.nextSibling) if (isElement(child)) yield child;
}

function descendants(element: Element, name: string): readonly Element[] {
  return [...children(element)].flatMap((child) => [
    ...(child.nodeName === name ? [child] : []),
    ...descendants(child, name),
  ]);
}

/** Adds paragraphs with these texts around blocks. Call it for outer sections before inner ones. */
export function surroundBlocks(first: Element, last: Element, open: string, close: string): void {
  first.parentNode?.insertBefore(textParagraph(first, open), first);
  last.parentNode?.insertBefore(textParagraph(last, close), last.nextSibling);
}

function textParagraph(near: Element, text: string): Element {
  const paragraph = create(near, 'w:p');
  paragraph.appendChild(textRun(near, text));
  return paragraph;
}

function textRun(near: Element, text: string): Element {
  const run = create(near, 'w:r');
  const content = create(near, 'w:t');
  content.setAttribute('xml:space', 'preserve');
  content.textContent = text;
  run.appendChild(content);
  return run;
}

function create(near: Element, name: string): Element {
  const owner = near.ownerDocument;
  if (owner === null) throw new Error('The element does not belong to a document.');
  return owner.createElementNS(near.lookupNamespaceURI('w'), name);
}
