import { stylesPartOf } from '../../core/styles/template-styles.ts';
import { hideNumber } from '../../language/hidden-number.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { PartCopies } from './copy-parts.ts';
import type { IncludingTemplate } from './including-template.ts';
import { type NoteKind, Notes } from './merge-notes.ts';
import { IncludedLists, IncludedNumbering } from './merge-numbering.ts';
import { IncludedStyles } from './merge-styles.ts';
import { type BookmarkNames, type References, rewriteMarkup } from './rewrite-markup.ts';

/** The section numbers of one occurrence: for its content, and for its notes, which are separate parts. */
export interface SectionNumbers {
  readonly content: number;
  readonly notes: number;
}

/** A template that another one includes, once or several times. */
export class IncludedTemplate {
  readonly source: DocxPackage;
  readonly parts: PartCopies;
  /** The main part. */
  readonly #xml: string;
  readonly #target: IncludingTemplate;
  readonly #styles: IncludedStyles;
  readonly #numbering: IncludedNumbering;
  readonly #notes: Readonly<Record<NoteKind, Notes>>;
  /** The lists of added styles, which all occurrences share. */
  readonly #styleLists: IncludedLists;

  constructor(source: DocxPackage, xml: string, target: IncludingTemplate, countBytes: (bytes: number) => void) {
    this.source = source;
    this.#xml = xml;
    this.#target = target;
    this.parts = new PartCopies(source, target.additions, countBytes);
    const read = (name: string | undefined) => (name === undefined ? undefined : source.readText(name)) ?? '';
    const styles = read(stylesPartOf(source));
    const numbering = source.partNames.find((name) => source.contentType(name)?.endsWith('.numbering+xml'));
    this.#numbering = new IncludedNumbering(read(numbering), (id) => listOfStyle(styles, id));
    this.#styleLists = new IncludedLists(this.#numbering, target.numbering);
    this.#styles = new IncludedStyles(styles, target.styles, (id) => this.#styleLists.map(id));
    this.#notes = { footnote: new Notes(source, 'footnote'), endnote: new Notes(source, 'endnote') };
  }

  /** The markup for the body of the including template. Its lists restart in each occurrence. */
  content(markup: string, numbers: SectionNumbers): string {
    const { mainPart } = this.#target.source;
    const lists = new IncludedLists(this.#numbering, this.#target.numbering);
    const bookmarks = this.#target.newBookmarks(markup);
    const references: References = {
      ...this.#references(lists, bookmarks),
      relationship: (id) => this.parts.relate(this.source.mainPart, id, mainPart),
      note: (kind, id) => this.#copyNote(kind, id, { lists, bookmarks, section: numbers.notes }),
    };
    const content = rewriteMarkup(markup, this.#xml, references);
    this.#target.noteAdded('main', content, this.#xml);
    return inSection(content, numbers.content);
  }

  /** The name of the copy of a header or footer. */
  copyFrame(partName: string, section: number): string | undefined {
    return this.parts.copy(partName, (xml) => {
      const lists = new IncludedLists(this.#numbering, this.#target.numbering);
      const references = this.#references(lists, this.#target.newBookmarks(xml));
      const rewritten = rewriteMarkup(xml, xml, { ...references, note: () => undefined });
      const [start, end] = [/<w:(?:hdr|ftr)\b[^>]*[^/]>/.exec(rewritten), rewritten.search(/<\/w:(?:hdr|ftr)\s*>\s*$/)];
      if (start === null || end === -1) return rewritten;
      const from = start.index + start[0].length;
      return rewritten.slice(0, from) + inSection(rewritten.slice(from, end), section) + rewritten.slice(end);
    });
  }

  #references(lists: IncludedLists, bookmarks: BookmarkNames): Omit<References, 'note'> {
    return {
      style: (type, id) => this.#styles.map(type, id),
      list: (id) => (this.#styleLists.has(id) ? this.#styleLists : lists).map(id),
      bookmarks,
    };
  }

  #copyNote(
    kind: NoteKind,
    id: string,
    occurrence: { readonly lists: IncludedLists; readonly bookmarks: BookmarkNames; readonly section: number },
  ): string | undefined {
    const { partName, xml, bodies } = this.#notes[kind];
    const body = bodies.get(id);
    if (partName === undefined || body === undefined) return undefined;
    const merge = this.#target.notes[kind];
    const newId = merge.reserve();
    const targetPart = this.#target.notesPart(kind);
    const rewritten = rewriteMarkup(body, xml, {
      ...this.#references(occurrence.lists, occurrence.bookmarks),
      relationship: (relationship) => this.parts.relate(partName, relationship, targetPart),
      note: () => undefined,
    });
    this.#target.noteAdded(kind, rewritten, xml);
    merge.write(newId, inSection(rewritten, occurrence.section));
    return newId;
  }
}

/** Puts the content between the tags of a section, each in a paragraph of its own. */
function inSection(content: string, section: number): string {
  const paragraph = (tag: string) => `<w:p><w:r><w:t>${tag}</w:t></w:r></w:p>`;
  return `${paragraph(hideNumber('{#included template}', section))}${content}${paragraph('{/}')}`;
}

/** The list of a numbering style. */
function listOfStyle(stylesXml: string, id: string): string | undefined {
  for (const [style] of stylesXml.matchAll(/<w:style\b[\s\S]*?<\/w:style\s*>/g)) {
    if (/\sw:styleId=["']([^"']*)["']/.exec(style)?.[1] !== id) continue;
    return /<w:numId\b[^>]*\sw:val=["'](\d+)["']/.exec(style)?.[1];
  }
  return undefined;
}
