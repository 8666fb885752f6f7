import { type CollapsedStretch, expandStretches } from '../../core/compile/collapse-static.ts';
import { isTag, type ParsedPiece } from '../../core/parsed-piece.ts';
import { hiddenNumber } from '../../language/hidden-number.ts';

/** The numbered lists that begin again in each item, by the section of the item. */
export type RestartingLists = ReadonlyMap<ParsedPiece, ReadonlySet<string>>;

interface Paragraph {
  /** The list; undefined for text outside lists. */
  readonly list: string | undefined;
  readonly level: number;
  /** The sections around it, from the outermost. */
  readonly sections: readonly ParsedPiece[];
}

/**
 * A list begins again in each item of the section that holds all of it, because authors see one item and number that
 * one. It continues if one numbered paragraph begins the item, because the items themselves are numbered there.
 */
export function restartingLists(
  pieces: readonly ParsedPiece[],
  stretches: readonly CollapsedStretch[],
  isNumbered: (list: string, level: number) => boolean,
): RestartingLists {
  const reader: Reader = { stretches, isNumbered, paragraphs: [] };
  read(pieces, [], reader);
  const found = new Map<ParsedPiece, Set<string>>();
  for (const section of new Set(reader.paragraphs.flatMap(({ sections }) => sections))) {
    const lists = listsOf(section, reader.paragraphs);
    if (lists.size > 0) found.set(section, lists);
  }
  return found;
}

const modes = /\|\s*numbering\s*:\s*["'“”„‟‘’]\s*(restart|continue)/;

function listsOf(section: ParsedPiece, all: readonly Paragraph[]): Set<string> {
  const inside = all.filter(({ sections }) => sections.includes(section));
  const [first] = inside;
  const mode = hiddenNumber(section.value) === undefined ? modes.exec(section.value)?.[1] : 'restart';
  const lists = new Set(inside.flatMap(({ list }) => list ?? []));
  for (const list of lists) {
    const own = inside.filter((paragraph) => paragraph.list === list);
    const isWhole = own.length === all.filter((paragraph) => paragraph.list === list).length;
    if (mode === 'continue' || (mode === undefined && !(isWhole && isOfItem(own, section, inside, first))))
      lists.delete(list);
  }
  return lists;
}

/** Whether a list belongs to the item, rather than numbering the items. */
function isOfItem(
  own: readonly Paragraph[],
  section: ParsedPiece,
  inside: readonly Paragraph[],
  first: Paragraph | undefined,
): boolean {
  const lowest = Math.min(...own.map(({ level }) => level));
  const top = own.filter(({ level }) => level === lowest);
  const direct = top.filter(({ sections }) => sections.at(-1) === section);
  if (direct.length > 1) return true;
  const numbersItems = top.length === 1 && direct.length === 1 && first === direct[0];
  return inside.some(({ list }) => list === undefined) && !numbersItems;
}

interface Reader {
  readonly stretches: readonly CollapsedStretch[];
  readonly isNumbered: (list: string, level: number) => boolean;
  readonly paragraphs: Paragraph[];
}

function read(pieces: readonly ParsedPiece[], sections: readonly ParsedPiece[], reader: Reader): void {
  let paragraph: string | undefined;
  let depth = 0;
  for (const piece of pieces) {
    const { subparsed, value, type } = piece;
    if (isTag(piece, 'w:p', 'start') && depth++ === 0) paragraph = '';
    if (paragraph !== undefined) paragraph += type === 'placeholder' ? 'x' : value;
    else if (subparsed !== undefined) read(subparsed, [...sections, piece], reader);
    else if (type === 'content') readStretches(value, sections, reader);
    if (!isTag(piece, 'w:p', 'end') || --depth > 0) continue;
    if (paragraph !== undefined) add(paragraph, sections, reader);
    paragraph = undefined;
    depth = 0;
  }
}

const paragraphs = /<w:p(?:\s[^>]*[^/])?>[\s\S]*?<\/w:p\s*>/g;

function readStretches(value: string, sections: readonly ParsedPiece[], reader: Reader): void {
  for (const piece of expandStretches(value, reader.stretches)) {
    if (typeof piece === 'string') continue;
    for (const [paragraph] of piece.xml.matchAll(paragraphs)) add(paragraph, sections, reader);
  }
}

const listed = /<w:numPr>\s*(?:<w:ilvl\b[^>]*?w:val=["'](\d)["'][^>]*>\s*)?<w:numId\b[^>]*?w:val=["'](\d+)["']/;

function add(xml: string, sections: readonly ParsedPiece[], { isNumbered, paragraphs: all }: Reader): void {
  const [, level = '0', list = '0'] = listed.exec(xml) ?? [];
  if (list !== '0' && isNumbered(list, Number(level))) all.push({ list, level: Number(level), sections });
  else if (xml.replace(/<[^>]*>/g, '').trim() !== '') all.push({ list: undefined, level: 0, sections });
}
