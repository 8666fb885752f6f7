import type { DocxPackage } from '../../package/open-package.ts';
import { dropOptionalIds } from './id-marks.ts';

type NoteKind = 'footnote' | 'endnote';

interface Notes {
  readonly partName: string;
  readonly xml: string;
  /** The notes without their start tags, by id. */
  readonly bodies: Map<string, string>;
  readonly copies: string[];
  next: number;
}

export interface NoteCopiesOptions {
  /** The filled part; undefined for a part without tags. */
  readonly filled: (partName: string) => string | undefined;
  /** Counts written characters. Throws when the output limit is exceeded. */
  readonly write: (chars: number) => void;
}

/** Copies footnotes and endnotes, so that each copy of a reference has a separate note, as in Word. */
export class NoteCopies {
  readonly #source: DocxPackage;
  readonly #options: NoteCopiesOptions;
  readonly #notes = new Map<NoteKind, Notes>();

  constructor(source: DocxPackage, options: NoteCopiesOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** Copies a note and returns the id of the copy; the id itself when there is no such note. */
  copy(reference: string, id: string): string {
    const kind: NoteKind = reference === 'endnoteReference' ? 'endnote' : 'footnote';
    const notes = this.#notes.get(kind) ?? this.#read(kind);
    const body = notes.bodies.get(id);
    if (body === undefined) return id;
    const copy = `<w:${kind} w:id="${notes.next}">${body}`;
    this.#options.write(copy.length);
    notes.copies.push(copy);
    return String(notes.next++);
  }

  /** The parts that contain copies, by name. */
  *changedParts(): Generator<readonly [partName: string, xml: string]> {
    for (const [kind, { partName, xml, copies }] of this.#notes) {
      const end = xml.lastIndexOf(`</w:${kind}s>`);
      if (copies.length > 0 && end !== -1) yield [partName, xml.slice(0, end) + copies.join('') + xml.slice(end)];
    }
  }

  #read(kind: NoteKind): Notes {
    const type = `wordprocessingml.${kind}s+xml`;
    const partName = this.#source.partNames.find((name) => this.#source.contentType(name)?.endsWith(type)) ?? '';
    const xml = this.#options.filled(partName) ?? (partName === '' ? '' : (this.#source.readText(partName) ?? ''));
    const bodies = readBodies(xml, kind);
    const next = [...bodies.keys()].reduce((highest, id) => Math.max(highest, Number(id)), 0) + 1;
    const notes = { partName, xml, bodies, copies: [], next };
    this.#notes.set(kind, notes);
    return notes;
  }
}

function readBodies(xml: string, kind: NoteKind): Map<string, string> {
  const bodies = new Map<string, string>();
  const closing = `</w:${kind}>`;
  for (const match of xml.matchAll(new RegExp(`<w:${kind}\\s[^>]*?\\bw:id=["'](-?\\d+)["'][^>]*>`, 'g'))) {
    const end = xml.indexOf(closing, match.index);
    if (end !== -1)
      bodies.set(match[1] ?? '', dropOptionalIds(xml.slice(match.index + match[0].length, end + closing.length)));
  }
  return bodies;
}
