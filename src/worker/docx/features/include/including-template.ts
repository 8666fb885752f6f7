import { wordNamespaces } from '@docmill/word/namespaces';
import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { PackageAdditions } from '../../core/render/package-additions.ts';
import { stylesPartOf } from '../../core/styles/template-styles.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { overlayPackage } from '../../package/overlay-package.ts';
import { FreeNames } from './free-names.ts';
import { type NoteKind, NotesMerge, newNotesPart } from './merge-notes.ts';
import { NumberingMerge } from './merge-numbering.ts';
import { StyleMerge } from './merge-styles.ts';
import { prefixesIn, withNamespaces } from './namespaces.ts';
import type { BookmarkNames } from './rewrite-markup.ts';

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const newParts = {
  styles: { name: 'styles.xml', contentType: `${word}.styles+xml`, kind: 'styles' },
  numbering: { name: 'numbering.xml', contentType: `${word}.numbering+xml`, kind: 'numbering' },
} as const;

/** Above the ids that Word writes, and below those that repeated content gets. */
const firstRangeId = 500_000_000;

/** A template whose include tags are being replaced, with the additions that included templates make to its parts. */
export class IncludingTemplate {
  readonly source: DocxPackage;
  readonly xml: string;
  readonly additions: PackageAdditions;
  readonly styles: StyleMerge;
  readonly numbering: NumberingMerge;
  readonly notes: Readonly<Record<NoteKind, NotesMerge>>;
  readonly edits = new TextEdits();
  readonly #parts: Readonly<Record<'styles' | 'numbering', TextPart>>;
  readonly #changed = new Map<string, Buffer>();
  /** The prefixes of the markup added to each part, by the part of another template that declares them. */
  readonly #prefixes = new Map<AddedTo, Map<string, Set<string>>>();
  readonly #countChars: (chars: number) => void;
  readonly #bookmarks: FreeNames;
  readonly #newNotes = new Map<NoteKind, string>();
  #nextRange = firstRangeId;

  /** `xml`: the main part. `countChars` throws when the added markup becomes too long. */
  constructor(source: DocxPackage, xml: string, countChars: (chars: number) => void) {
    this.source = source;
    this.#countChars = countChars;
    this.xml = xml;
    this.additions = new PackageAdditions(source);
    const empty = (root: string) =>
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:${root} xmlns:w="${wordNamespaces[this.additions.isStrict ? 'strict' : 'transitional']}"></w:${root}>`;
    const read = (name: string | undefined, root: string): TextPart => ({
      name,
      xml: (name === undefined ? undefined : source.readText(name)) ?? empty(root),
    });
    const numbering = source.partNames.find((name) => source.contentType(name) === newParts.numbering.contentType);
    this.#parts = { styles: read(stylesPartOf(source), 'styles'), numbering: read(numbering, 'numbering') };
    this.styles = new StyleMerge(this.#parts.styles.xml, (...added) => this.noteAdded('styles', ...added));
    this.numbering = new NumberingMerge(this.#parts.numbering.xml, (...added) => this.noteAdded('numbering', ...added));
    this.notes = { footnote: new NotesMerge(source, 'footnote'), endnote: new NotesMerge(source, 'endnote') };
    const bookmarks = Array.from(xml.matchAll(bookmarkName), ([, name = '']) => name);
    this.#bookmarks = new FreeNames(bookmarks, (name) => `${name.slice(0, maxBookmarkChars)}_`);
  }

  /** New names and ids for the bookmarks of one occurrence of an included template. */
  newBookmarks(content: string): BookmarkNames {
    const names = new Map<string, string>();
    for (const [, name = ''] of content.matchAll(bookmarkName)) names.set(name, this.#bookmarks.take(name));
    const ids = new Map<string, string>();
    return {
      rename: (name) => names.get(name) ?? name,
      renumber: (id) => {
        const known = ids.get(id) ?? String(this.#nextRange++);
        ids.set(id, known);
        return known;
      },
    };
  }

  /** The name of the part with the notes, which is created if missing. */
  notesPart(kind: NoteKind): string {
    const known = this.notes[kind].partName ?? this.#newNotes.get(kind);
    if (known !== undefined) return known;
    const { name, contentType, kind: type } = newNotesPart(kind);
    const part = this.additions.addPart(this.source.mainPart, {
      name,
      contentType,
      kind: type,
      bytes: Buffer.alloc(0),
    });
    this.#newNotes.set(kind, part.name);
    return part.name;
  }

  /** Counts added markup, and notes its prefixes, which the root of the part `from` declares. */
  noteAdded(part: AddedTo, markup: string, from: string): void {
    this.#countChars(markup.length);
    const ofPart = this.#prefixes.get(part) ?? new Map<string, Set<string>>();
    const prefixes = ofPart.get(from) ?? new Set();
    for (const prefix of prefixesIn(markup)) prefixes.add(prefix);
    this.#prefixes.set(part, ofPart.set(from, prefixes));
  }

  /** The target of the main part's relationship of this kind. */
  partOf(kind: string): string | undefined {
    const { source } = this;
    const rels = readRelationships(source.readText(relationshipsPartOf(source.mainPart)) ?? '');
    const found = rels.find((relationship) => relationship.kind === kind && !relationship.isExternal);
    return found && source.entry(resolveTarget(source.mainPart, found.target))?.name;
  }

  change(name: string, xml: string): void {
    this.#changed.set(name, Buffer.from(xml));
  }

  /** The template with the content of the others, and the bytes of its changed parts. Throws PrefixConflict. */
  finish(): { readonly source: DocxPackage; readonly sizeBytes: number } {
    const { additions, source } = this;
    const changes = new Map(this.#changed);
    const set = (name: string, xml: string, part: AddedTo) => changes.set(name, Buffer.from(this.#declare(xml, part)));
    set(source.mainPart, this.edits.apply(this.xml), 'main');
    if (this.styles.added !== '') {
      const { xml } = this.#parts.styles;
      const end = xml.lastIndexOf('</w:styles>');
      if (end !== -1) set(this.#nameOf('styles'), xml.slice(0, end) + this.styles.added + xml.slice(end), 'styles');
    }
    if (this.numbering.isChanged) set(this.#nameOf('numbering'), this.numbering.write(), 'numbering');
    for (const notes of Object.values(this.notes)) {
      if (notes.added !== '') set(this.notesPart(notes.kind), notes.text(additions.isStrict), notes.kind);
    }
    const all = new Map([...additions.changes(), ...changes]);
    const sizeBytes = [...all.values()].reduce((sum, part) => sum + part.byteLength, 0);
    return { source: overlayPackage(source, all), sizeBytes };
  }

  #declare(xml: string, part: AddedTo): string {
    const added = [...(this.#prefixes.get(part) ?? [])];
    return added.reduce((declared, [from, prefixes]) => withNamespaces(declared, prefixes, from), xml);
  }

  /** The name of the part, which is created if missing. */
  #nameOf(kind: 'styles' | 'numbering'): string {
    const { name } = this.#parts[kind];
    if (name !== undefined) return name;
    return this.additions.addPart(this.source.mainPart, { ...newParts[kind], bytes: Buffer.alloc(0) }).name;
  }
}

export type AddedTo = 'main' | 'styles' | 'numbering' | NoteKind;

interface TextPart {
  readonly name: string | undefined;
  readonly xml: string;
}

const bookmarkName = /<w:bookmarkStart\b[^>]*?\sw:name=["']([^"']*)["']/g;
/** Word truncates names to forty characters. The rest is for a number. */
const maxBookmarkChars = 34;
