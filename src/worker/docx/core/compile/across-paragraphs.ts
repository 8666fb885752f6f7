import { dropOptionalIds } from '../ids/id-marks.ts';
import { isTag, type ParsedPiece } from '../parsed-piece.ts';

/** How the items of a section that begins within one paragraph and ends within another are kept apart. */
export interface ParagraphBreak {
  /** Ends the last paragraph of an item and begins the first one of the next, with the formatting of the first. */
  readonly between: string;
}

/**
 * The sections of a part whose tags are in the middle of different paragraphs. Without a break between them, the last
 * paragraph of an item and the first one of the next would be joined.
 */
export function acrossParagraphs(pieces: readonly ParsedPiece[]): ReadonlyMap<ParsedPiece, ParagraphBreak> {
  const found = new Map<ParsedPiece, ParagraphBreak>();
  collect(pieces, [], found);
  return found;
}

/** A list of pieces and an index in it. */
type Place = readonly [list: readonly ParsedPiece[], index: number];

function collect(
  list: readonly ParsedPiece[],
  around: readonly Place[],
  found: Map<ParsedPiece, ParagraphBreak>,
): void {
  for (const [i, piece] of list.entries()) {
    const { subparsed } = piece;
    if (subparsed === undefined) continue;
    const places: readonly Place[] = [...around, [list, i]];
    if (piece.module === 'loop' && hasTextAtBothEnds(subparsed)) {
      const before = paragraphBefore(places);
      const between = before === undefined ? undefined : breakBetween(before, before + xmlOf(subparsed));
      if (between !== undefined) found.set(piece, { between });
    }
    collect(subparsed, places, found);
  }
}

/** Whether the section ends a paragraph that it did not begin, and prints in it and in the paragraph of its closing tag. */
function hasTextAtBothEnds(section: readonly ParsedPiece[]): boolean {
  const first = section.findIndex(({ tag, type }) => type === 'tag' && tag === 'w:p');
  const start = section[first];
  if (start === undefined || start.position !== 'end') return false;
  const last = section.findLastIndex((piece) => isTag(piece, 'w:p', 'start'));
  return last !== -1 && prints(section.slice(0, first)) && prints(section.slice(last + 1));
}

const shown =
  /<w:(?:br|tab\/|sym|drawing|pict|object|cr|ptab|fldChar|fldSimple|hyperlink|ruby|sdt)\b|<m:|<mc:|Reference\b/;

function prints(pieces: readonly ParsedPiece[]): boolean {
  return pieces.some(({ type, value }) => {
    if (type === 'placeholder') return true;
    return shown.test(value) || (type === 'content' && value.replace(/<[^>]*>/g, '').trim() !== '');
  });
}

/** The markup from the start of the paragraph around a place to the place, without sections in between. */
function paragraphBefore(places: readonly Place[]): string | undefined {
  let xml = '';
  for (const [list, index] of [...places].reverse()) {
    const start = lastOpenParagraph(list, index);
    xml = xmlOf(list.slice(Math.max(start, 0), index)) + xml;
    if (start !== -1) return xml;
  }
  return undefined;
}

function lastOpenParagraph(list: readonly ParsedPiece[], before: number): number {
  let depth = 0;
  for (let i = before - 1; i >= 0; i--) {
    const piece = list[i];
    if (piece === undefined) continue;
    if (isTag(piece, 'w:p', 'end')) depth++;
    else if (isTag(piece, 'w:p', 'start') && depth-- === 0) return i;
  }
  return -1;
}

function xmlOf(pieces: readonly ParsedPiece[]): string {
  return pieces
    .map(({ type, value, subparsed }) =>
      subparsed === undefined ? (type === 'placeholder' ? '' : value) : xmlOf(subparsed),
    )
    .join('');
}

interface OpenElement {
  readonly name: string;
  /** Its start tag, with its properties. */
  xml: string;
}

const repeatable = new Set(['w:p', 'w:r', 'w:t', 'w:hyperlink', 'w:smartTag']);

function breakBetween(before: string, whole: string): string | undefined {
  const first = openParagraph(before);
  const last = openParagraph(whole);
  if (first === undefined || last === undefined) return undefined;
  if (![...first, ...last].every(({ name }) => repeatable.has(name))) return undefined;
  const ends = last.map(({ name }) => `</${name}>`).reverse();
  const starts = first.map(({ xml }) => xml.replace(/<w:sectPr\b.*<\/w:sectPr>|<w:sectPr\b[^>]*\/>/s, ''));
  return ends.join('') + dropOptionalIds(starts.join(''));
}

const tags = /<(\/?)([\w:.-]+)[^>]*?(\/?)>/g;

/** The elements that are open at the end of the markup, from the innermost paragraph inwards. */
function openParagraph(xml: string): readonly OpenElement[] | undefined {
  const open: OpenElement[] = [];
  let properties: { readonly depth: number; readonly start: number } | undefined;
  for (const { 0: tag, 1: end, 2: name = '', 3: empty, index } of xml.matchAll(tags)) {
    if (empty === '/') continue;
    if (end === '/') {
      open.pop();
      if (properties?.depth !== open.length) continue;
      const holder = open.at(-1);
      if (holder !== undefined) holder.xml += xml.slice(properties.start, index + tag.length);
      properties = undefined;
    } else {
      if (properties === undefined && (name === 'w:pPr' || name === 'w:rPr' || name === 'w:smartTagPr'))
        properties = { depth: open.length, start: index };
      open.push({ name, xml: tag });
    }
  }
  const start = open.findLastIndex(({ name }) => name === 'w:p');
  return start === -1 ? undefined : open.slice(start);
}
