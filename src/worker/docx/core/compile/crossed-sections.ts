import { scanTags } from '../../package/xml-tokens.ts';
import type { ParsedPiece, ParseFault } from './parse-parts.ts';

/** The elements that some pieces close without having opened them, innermost first, and those that they leave open. */
interface Ends {
  readonly closed: readonly string[];
  readonly opened: readonly string[];
}

const none: Ends = { closed: [], opened: [] };
const ids: Readonly<Record<string, string>> = {
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
 * Sections that begin inside of an element and end outside of it, or the other way round, be it one that docxtemplater does
 * not look at: a link, a tracked change, a field.
 */
export function crossedSections(parts: ReadonlyMap<string, readonly ParsedPiece[]>): ParseFault[] {
  const faults: ParseFault[] = [];
  for (const [part, pieces] of parts) {
    const onCrossed = ({ offset, value: tag }: ParsedPiece, element: string) => {
      faults.push({ id: ids[element] ?? 'loop_position_invalid', part, offset, tag });
    };
    for (const piece of pieces) if (piece.subparsed !== undefined) endsOfSection(piece, onCrossed);
  }
  return faults;
}

/** Undefined for a section that is crossed, or holds one that is: then nothing can be said of what is around it. */
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
    const [left, entered] = [closed[i], opened.at(-1 - i)];
    if (left === entered) continue;
    onCrossed(section, left ?? entered ?? '');
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
  scanTags(value, ({ kind, start, end }) => {
    const name = /^<\/?([^\s/>]+)/.exec(value.slice(start, end))?.[1] ?? '';
    // A stretch of the template that was folded is whole.
    if (kind === 'empty' || name.startsWith('\u0001')) return;
    if (kind === 'open') opened.push(name);
    else if (opened.pop() === undefined) closed.push(name);
  });
  return { closed, opened };
}
