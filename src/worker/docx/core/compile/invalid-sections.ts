import { scanXmlTags } from '@docmill/word/xml-tokens';
import type { ParsedPiece } from '../parsed-piece.ts';
import type { ParseFault } from './parse-parts.ts';

/** Sections that cannot be dropped or repeated without breaking the part. `arranged`: the pieces after `arrange` hooks. */
export function invalidSections(
  parsed: ReadonlyMap<string, readonly ParsedPiece[]>,
  arranged: ReadonlyMap<string, readonly ParsedPiece[]>,
): ParseFault[] {
  const crossed = crossedSections(parsed);
  return crossed.length > 0 ? crossed : unbalancedSections(arranged);
}

/** Elements that the pieces close without opening them, innermost first, and elements that they leave open. */
interface Ends {
  readonly closed: readonly string[];
  readonly opened: readonly string[];
}

const none: Ends = { closed: [], opened: [] };
const faultOfElement: Readonly<Record<string, string>> = {
  'w:hyperlink': 'section_crosses_link',
  'w:fldSimple': 'section_crosses_field',
  'w:sdtContent': 'section_crosses_control',
  'w:sdt': 'section_crosses_control',
  'w:ins': 'section_crosses_revision',
  'w:del': 'section_crosses_revision',
  'w:moveFrom': 'section_crosses_revision',
  'w:moveTo': 'section_crosses_revision',
};

/**
 * Sections with only one tag inside an element, including elements that docxtemplater ignores: links, tracked changes and
 * fields.
 */
function crossedSections(parts: ReadonlyMap<string, readonly ParsedPiece[]>): ParseFault[] {
  const faults: ParseFault[] = [];
  for (const [part, pieces] of parts) {
    const onCrossed = ({ offset, value: tag }: ParsedPiece, element: string) => {
      faults.push({ id: faultOfElement[element] ?? 'loop_position_invalid', part, offset, tag });
    };
    for (const piece of pieces) if (piece.subparsed !== undefined) endsOfSection(piece, onCrossed);
  }
  return faults;
}

/** Undefined when the section or one inside it crosses an element, since its outer ends are then unknown. */
function endsOfSection(
  section: ParsedPiece,
  onCrossed: (section: ParsedPiece, element: string) => void,
): Ends | undefined {
  const closed: string[] = [];
  const opened: string[] = [];
  let isKnown = true;
  for (const piece of section.subparsed ?? []) {
    const ends = piece.subparsed === undefined ? endsOfPiece(piece) : endsOfSection(piece, onCrossed);
    isKnown &&= ends !== undefined;
    if (ends === undefined) continue;
    for (const name of ends.closed) if (opened.pop() === undefined) closed.push(name);
    for (const name of ends.opened) opened.push(name);
  }
  if (!isKnown) return undefined;
  const depth = Math.max(closed.length, opened.length);
  for (let i = 0; i < depth; i++) {
    const [closedName, openedName] = [closed[i], opened.at(-1 - i)];
    if (closedName === openedName) continue;
    onCrossed(section, closedName ?? openedName ?? '');
    return undefined;
  }
  return { closed, opened };
}

function endsOfPiece({ type, tag = '', position, value }: ParsedPiece): Ends {
  if (type === 'tag') {
    if (position === 'selfclosing') return none;
    return position === 'start' ? { closed: [], opened: [tag] } : { closed: [tag], opened: [] };
  }
  if (type !== 'content' || !value.includes('<')) return none;
  const closed: string[] = [];
  const opened: string[] = [];
  scanXmlTags(value, ({ kind, start, end }) => {
    const name = /^<\/?([^\s/>]+)/.exec(value.slice(start, end))?.[1] ?? '';
    // A collapsed stretch is balanced.
    if (kind === 'empty' || name.startsWith('\u0001')) return;
    if (kind === 'open') opened.push(name);
    else if (opened.pop() === undefined) closed.push(name);
  });
  return { closed, opened };
}

/**
 * Sections that close different elements than they open. A section that runs from one table into the next is valid if
 * both lists mirror each other.
 */
function unbalancedSections(parts: ReadonlyMap<string, readonly ParsedPiece[]>): ParseFault[] {
  return [...parts].flatMap(([part, pieces]) =>
    sectionsOf(pieces)
      .filter((section) => !isMirrored(section.subparsed ?? []))
      .map((section) => ({ id: 'loop_position_invalid', part, offset: section.offset, tag: section.value })),
  );
}

function sectionsOf(pieces: readonly ParsedPiece[]): ParsedPiece[] {
  return pieces.flatMap((piece) => {
    if (piece.subparsed === undefined) return [];
    const inner = sectionsOf(piece.subparsed);
    return piece.module === 'loop' ? [piece, ...inner] : inner;
  });
}

function isMirrored(pieces: readonly ParsedPiece[]): boolean {
  const closed: (string | undefined)[] = [];
  const opened: (string | undefined)[] = [];
  for (const { tag, position } of tagsOf(pieces)) {
    if (position === 'start') opened.push(tag);
    else if (opened.length === 0) closed.push(tag);
    else if (opened.pop() !== tag) return false;
  }
  return closed.length === opened.length && closed.every((tag, i) => tag === opened.at(-1 - i));
}

function* tagsOf(pieces: readonly ParsedPiece[]): Generator<ParsedPiece> {
  for (const piece of pieces) {
    if (piece.type === 'tag' && piece.position !== 'selfclosing') yield piece;
    if (piece.subparsed !== undefined) yield* tagsOf(piece.subparsed);
  }
}
