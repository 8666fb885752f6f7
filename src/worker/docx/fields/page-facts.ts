import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import type { PageFacts } from './evaluate-field.ts';

/** The pages on which the parts of a document were laid out. Blank pages that the PDF omits do not count. */
export interface LaidOutPages {
  readonly pages: number;
  /** Pages after such a blank page. It counts in their page numbers, unless the numbers restart. */
  readonly pagesAfterBlank: readonly number[];
  /** The page of each mark by its name. */
  readonly marks: Readonly<Record<string, number>>;
}

/** The names of the bookmarks whose pages a converter reports. */
const markPrefix = '_docmill_';
export const fieldMark = (index: number): string => `${markPrefix}field_${index}`;
const sectionMark = (index: number): string => `${markPrefix}section_${index}`;
/** Far from the ids of the document's own bookmarks. */
const firstId = 2_000_000_000;

export function bookmark(name: string, index: number, prefix: string): string {
  const id = `${prefix}id="${firstId + index}"`;
  return `<${prefix}bookmarkStart ${id} ${prefix}name="${name}"/><${prefix}bookmarkEnd ${id}/>`;
}

interface Section {
  readonly isContinuous: boolean;
  /** The number of its first page, if its page numbers restart. */
  readonly start: number | undefined;
  /**
   * The relationships to its headers and footers, by kind and type of page, including those inherited from earlier
   * sections.
   */
  readonly frames: ReadonlyMap<string, string>;
}

interface Body {
  readonly sections: readonly Section[];
  /** Where the first paragraphs of sections have room for a mark; fewer than sections if the last ones are empty. */
  readonly starts: readonly Start[];
}

interface Start {
  readonly offset: number;
  /** The offset of a paragraph that is an empty element. */
  readonly emptyAt?: number;
}

function readBody(xml: string): Body {
  const reader = new BodyReader(xml);
  scanXmlTags(xml, (tag) => reader.visit(tag));
  return reader;
}

class BodyReader implements Body {
  readonly sections: { isContinuous: boolean; start: number | undefined; frames: ReadonlyMap<string, string> }[] = [];
  readonly starts: Start[] = [];
  readonly #xml: string;
  #needsStart = false;
  #paragraphEnd = -1;
  #isInProperties = false;
  #breaks = false;

  constructor(xml: string) {
    this.#xml = xml;
  }

  visit(tag: XmlTag): void {
    const { local, kind } = tag;
    if (this.#paragraphEnd >= 0) this.#firstParagraph(tag);
    if (local === 'body' && kind === 'open') this.#needsStart = true;
    else if (local === 'p') this.#paragraph(tag);
    else if (kind !== 'close') this.#properties(tag);
  }

  #paragraph({ kind, start, end }: XmlTag): void {
    if (kind !== 'close' && this.#needsStart) {
      this.#needsStart = false;
      if (kind === 'empty') this.starts.push({ offset: end, emptyAt: start });
      else this.#paragraphEnd = end;
    }
    if (kind !== 'close' || !this.#breaks) return;
    this.#breaks = false;
    this.#needsStart = true;
  }

  /** The mark follows the properties of the paragraph. */
  #firstParagraph({ local, kind, end }: XmlTag): void {
    if (local === 'pPr' && kind === 'open') this.#isInProperties = true;
    else if (local === 'pPr') this.#end(end);
    else if (!this.#isInProperties) this.#end(this.#paragraphEnd);
  }

  #end(offset: number): void {
    this.starts.push({ offset });
    this.#paragraphEnd = -1;
    this.#isInProperties = false;
  }

  #properties(tag: XmlTag): void {
    const section = this.sections.at(-1);
    if (tag.local === 'sectPr') {
      this.sections.push({ isContinuous: false, start: undefined, frames: section?.frames ?? new Map() });
      this.#breaks = true;
    } else if (section !== undefined && (tag.local === 'headerReference' || tag.local === 'footerReference')) {
      const key = `${tag.local} ${attributeOf(this.#xml, tag, 'type') ?? 'default'}`;
      section.frames = new Map([...section.frames, [key, attributeOf(this.#xml, tag, 'id') ?? '']]);
    } else if (section !== undefined && tag.local === 'type')
      section.isContinuous = attributeOf(this.#xml, tag, 'val') === 'continuous';
    else if (section !== undefined && tag.local === 'pgNumType') {
      const start = attributeOf(this.#xml, tag, 'start');
      section.start = start === undefined ? undefined : Number(start) || 0;
    }
  }
}

/** The relationships to the headers and footers of each section. */
export function framesOfSections(xml: string): readonly (readonly string[])[] {
  return readBody(xml).sections.map(({ frames }) => [...new Set(frames.values())]);
}

/** The body with a mark at the start of each section. */
export function markSections(xml: string): string {
  const prefix = /<(\w+:)?body[\s>]/.exec(xml)?.[1] ?? '';
  const edits = new TextEdits();
  for (const [index, { offset, emptyAt }] of readBody(xml).starts.entries()) {
    const mark = bookmark(sectionMark(index), index, prefix);
    if (emptyAt === undefined) edits.replace(offset, offset, mark);
    else edits.replace(emptyAt, offset, `<${prefix}p>${mark}</${prefix}p>`);
  }
  return edits.apply(xml);
}

/** The values that fields show on a page, in its header and footer, which belong to one section. */
export function factsOfPages(xml: string, { pages, pagesAfterBlank, marks }: LaidOutPages): PageFacts[] {
  const { sections } = readBody(xml);
  const begins = sections.map((_section, index) => (index === 0 ? 1 : marks[sectionMark(index)]));
  const beginsPage = (index: number): boolean => sections[index]?.isContinuous !== true;
  const lastOf = (index: number): number => {
    const next = begins[index + 1];
    if (next === undefined) return pages;
    return Math.max(begins[index] ?? 1, beginsPage(index + 1) ? next - 1 : next);
  };
  const afterBlank = new Set(pagesAfterBlank);
  const facts: Omit<PageFacts, 'pages'>[] = [];
  let [section, number, numberedBlanks] = [0, 0, 0];
  for (let page = 1; page <= pages; page++) {
    const before = section;
    while (hasBegun(section + 1, page)) section++;
    const restart = page === 1 || section !== before ? sections[section]?.start : undefined;
    const blanks = restart === undefined && afterBlank.has(page) ? 1 : 0;
    number = restart ?? number + blanks + 1;
    numberedBlanks += blanks;
    const sectionPages = lastOf(section) - (begins[section] ?? 1) + 1;
    facts.push({ page: number, sectionPages, section: section + 1 });
  }
  return facts.map((one) => ({ ...one, pages: pages + numberedBlanks }));

  function hasBegun(index: number, page: number): boolean {
    const begin = begins[index];
    return begin !== undefined && (begin < page || (begin === page && beginsPage(index)));
  }
}
