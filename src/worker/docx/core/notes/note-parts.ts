import type { DocxPackage } from '../../package/open-package.ts';

/** Kinds of parts that hold numbered pieces of text, each shown where the body refers to it. */
export type NoteKind = 'footnote' | 'endnote' | 'comment';

const kinds: ReadonlyMap<string, NoteKind> = new Map(
  (['footnote', 'endnote', 'comment'] as const).map((kind) => [
    `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}s+xml`,
    kind,
  ]),
);

/** The kind of notes in a part of this content type, if any. */
export function noteKindOf(contentType: string | undefined): NoteKind | undefined {
  return contentType === undefined ? undefined : kinds.get(contentType.toLowerCase());
}

/** The parts that hold notes, by kind. */
export type NoteParts = ReadonlyMap<NoteKind, string>;

export function notePartsOf(source: DocxPackage): NoteParts {
  const parts = new Map<NoteKind, string>();
  for (const name of source.partNames) {
    const kind = noteKindOf(source.contentType(name));
    if (kind !== undefined && !parts.has(kind)) parts.set(kind, name);
  }
  return parts;
}

/** The name under which one tagged note is compiled: it is filled in each place that refers to it. */
export function notePart(partName: string, id: string): string {
  return `${partName}#${id}`;
}

export interface Note {
  readonly id: string;
  /** The separators and notices of Word, to which nothing refers. */
  readonly isSpecial: boolean;
  readonly xml: string;
}

/** The notes of a part, in its order, and the markup around them. */
export interface NotesPart {
  readonly before: string;
  readonly notes: readonly Note[];
  readonly after: string;
}

export function readNotes(xml: string, kind: NoteKind): NotesPart {
  const pattern = new RegExp(`<w:${kind}(\\s[^>]*[^/>])?>[\\s\\S]*?</w:${kind}\\s*>`, 'g');
  const notes: Note[] = [];
  let first = -1;
  let end = 0;
  for (const { 0: note, 1: attributes = '', index } of xml.matchAll(pattern)) {
    if (first === -1) first = index;
    end = index + note.length;
    const type = /\sw:type=["']([^"']*)/.exec(attributes)?.[1] ?? 'normal';
    notes.push({ id: noteId(attributes), isSpecial: type !== 'normal', xml: note });
  }
  if (first === -1) first = end = Math.max(0, xml.lastIndexOf(`</w:${kind}s`));
  return { before: xml.slice(0, first), notes, after: xml.slice(end) };
}

/** The id in a start tag of a note, or of a reference to it. */
export function noteId(tag: string): string {
  return /\sw:id=["']([^"']*)/.exec(tag)?.[1] ?? '';
}

/** A note or a reference with another id. */
export function withNoteId(xml: string, id: string): string {
  return xml.replace(/(\sw:id=)(?:"[^"]*"|'[^']*')/, `$1"${id}"`);
}
