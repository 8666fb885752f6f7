import { TextEdits } from '@docmill/word/text-edits';
import type { DocxPackage } from '../../package/open-package.ts';
import { dropOptionalIds } from '../ids/id-marks.ts';
import {
  type Note,
  type NoteKind,
  type NoteParts,
  type NotesPart,
  noteId,
  readNotes,
  withNoteId,
} from './note-parts.ts';
import type { WrittenNotes } from './written-notes.ts';

export interface NotesInput {
  readonly source: DocxPackage;
  readonly noteParts: NoteParts;
  /** The filled body, or the template's without tags. */
  readonly body: () => string;
  readonly written: WrittenNotes;
  /** Whether a part was filled as a whole. */
  readonly isFilled: (partName: string) => boolean;
  /** Counts written characters. Throws when the output limit is exceeded. */
  readonly write: (chars: number) => void;
}

export interface ArrangedNotes {
  /** The body with the new ids; undefined if the ids do not change. */
  readonly body: string | undefined;
  /** The changed parts of notes by name. */
  readonly parts: ReadonlyMap<string, string>;
}

const nothing: ArrangedNotes = { body: undefined, parts: new Map() };

/**
 * Gives each reference in the body a note of its own, in the order of the references, and drops the notes to which nothing
 * refers any more. LibreOffice reads notes by their position, so a PDF would otherwise show the text of other notes.
 */
export function arrangeNotes(input: NotesInput): ArrangedNotes {
  const { source } = input;
  const kinds = [...input.noteParts].filter(([, name]) => !input.isFilled(name));
  if (kinds.length === 0) return nothing;
  const body = input.body();
  const edits = new TextEdits();
  const parts = new Map<string, string>();
  for (const [kind, name] of kinds) {
    const part = readNotes(source.readText(name) ?? '', kind);
    const placed =
      kind === 'comment' ? placeComments(body, part, edits, input) : placeNotes(kind, body, part, edits, input);
    if (placed === undefined) continue;
    const specials = part.notes.filter(({ isSpecial }) => isSpecial).map(({ xml }) => xml);
    parts.set(name, [part.before, ...specials, ...placed, part.after].join(''));
  }
  return { body: edits.isEmpty ? undefined : edits.apply(body), parts };
}

interface Reference {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

function referencesIn(body: string, element: string): Reference[] {
  const pattern = new RegExp(`<w:${element}\\b[^>]*?(?:/>|>\\s*</w:${element}\\s*>)`, 'g');
  return Array.from(body.matchAll(pattern), ({ 0: tag, index }) => ({
    id: noteId(tag),
    start: index,
    end: index + tag.length,
  }));
}

/** The notes in the order of their references, whose ids it edits; undefined if they already are in that order. */
function placeNotes(
  kind: NoteKind,
  body: string,
  { notes }: NotesPart,
  edits: TextEdits,
  { written, write }: NotesInput,
): string[] | undefined {
  const references = referencesIn(body, `${kind}Reference`);
  const usual = notes.filter(({ isSpecial }) => !isSpecial);
  if (references.length === usual.length && references.every(({ id }, i) => usual[i]?.id === id)) return undefined;
  const known = new Map(usual.map((note) => [note.id, note]));
  const reserved = new Set(notes.filter(({ isSpecial }) => isSpecial).map(({ id }) => id));
  const seen = new Set<string>();
  const placed: string[] = [];
  let next = 1;
  for (const { id, start, end } of references) {
    const found = written.get(id) ?? ownNote(known.get(id));
    if (found === undefined) {
      edits.replace(start, end);
      continue;
    }
    while (reserved.has(String(next))) next++;
    const own = String(next++);
    const xml = withNoteId(seen.has(found.of) ? dropOptionalIds(found.xml) : found.xml, own);
    if (seen.has(found.of) && !written.get(id)) write(xml.length);
    seen.add(found.of);
    placed.push(xml);
    if (own !== id) edits.replace(start, end, withNoteId(body.slice(start, end), own));
  }
  return placed;
}

const ownNote = (note: Note | undefined) => note && { of: note.id, xml: note.xml };

/** The comments that the body still has. Those without tags stay on the first copy of their text. */
function placeComments(
  body: string,
  { notes }: NotesPart,
  edits: TextEdits,
  { written }: NotesInput,
): string[] | undefined {
  const references = referencesIn(body, 'commentReference');
  const kept = new Set(references.map(({ id }) => id));
  if (notes.every(({ id }) => kept.has(id)) && references.every(({ id }) => written.get(id) === undefined))
    return undefined;
  const ranges = [...referencesIn(body, 'commentRangeStart'), ...referencesIn(body, 'commentRangeEnd')];
  let next = notes.reduce((most, { id }) => Math.max(most, Number(id) + 1 || 0), 0);
  const used = new Set<string>();
  const added: string[] = [];
  const own = new Map<string, Reference[]>();
  for (const mark of [...ranges, ...references].sort((a, b) => a.start - b.start)) {
    const found = written.get(mark.id);
    if (found === undefined) {
      own.set(mark.id, [...(own.get(mark.id) ?? []), mark]);
      continue;
    }
    const isFirst = !used.has(found.of);
    const id = isFirst ? found.of : String(next++);
    used.add(found.of);
    added.push(withNoteId(isFirst ? found.xml : dropOptionalIds(found.xml), id));
    for (const one of [...(own.get(found.of) ?? []), mark])
      edits.replace(one.start, one.end, withNoteId(body.slice(one.start, one.end), id));
    own.delete(found.of);
  }
  return [...notes.filter(({ id }) => kept.has(id) && !used.has(id)).map(({ xml }) => xml), ...added];
}
