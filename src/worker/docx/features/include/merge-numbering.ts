import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import type { NoteAdded } from './namespaces.ts';

interface Definition {
  readonly id: string;
  readonly xml: string;
  /** The numbering style that holds the levels instead. */
  readonly styleLink: string | undefined;
}

interface List {
  readonly xml: string;
  readonly definition: string;
}

interface Lists {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly lists: ReadonlyMap<string, List>;
}

/** The lists of the including template, and those that its included templates add. */
export class NumberingMerge {
  readonly #xml: string;
  readonly #definitions: string[] = [];
  readonly #lists: string[] = [];
  readonly #noteAdded: NoteAdded;
  #nextDefinition: number;
  #nextList: number;

  /** `xml` is the numbering part, or an empty one. */
  constructor(xml: string, noteAdded: NoteAdded) {
    this.#noteAdded = noteAdded;
    this.#xml = xml.replace(/(<w:numbering\b[^>]*[^/])\s*\/>\s*$/, '$1></w:numbering>');
    const { definitions, lists } = readLists(this.#xml);
    this.#nextDefinition = nextId(definitions.keys());
    this.#nextList = nextId(lists.keys());
  }

  get isChanged(): boolean {
    return this.#lists.length > 0;
  }

  /** `from`: the part that the definition comes from. */
  addDefinition(write: (id: number) => string, from: string): number {
    const id = this.#nextDefinition++;
    const definition = write(id);
    this.#definitions.push(definition);
    this.#noteAdded(definition, from);
    return id;
  }

  /** `from`: the part that the list comes from. */
  addList(write: (id: number) => string, from: string): string {
    const id = this.#nextList++;
    const list = write(id);
    this.#lists.push(list);
    this.#noteAdded(list, from);
    return String(id);
  }

  /** The changed part. Definitions precede lists, and lists precede `w:numIdMacAtCleanup` (ECMA-376 part 1, 17.9.17). */
  write(): string {
    let firstList = -1;
    let end = -1;
    scanXmlTags(this.#xml, ({ kind, local, start }) => {
      if (local === 'num' && kind === 'open' && firstList < 0) firstList = start;
      const isEnd = local === 'numIdMacAtCleanup' || (local === 'numbering' && kind === 'close');
      if (isEnd && end < 0) end = start;
    });
    const edits = new TextEdits();
    const definitions = this.#definitions.join('');
    if (firstList >= 0) edits.replace(firstList, firstList, definitions);
    edits.replace(end, end, (firstList >= 0 ? '' : definitions) + this.#lists.join(''));
    return edits.apply(this.#xml);
  }
}

/**
 * Maps the lists of one occurrence of an included template. Each gets its own definition, so that its numbers restart.
 */
export class IncludedLists {
  readonly #source: IncludedNumbering;
  readonly #merge: NumberingMerge;
  readonly #lists = new Map<string, string>();
  readonly #definitions = new Map<string, number>();

  constructor(source: IncludedNumbering, merge: NumberingMerge) {
    this.#source = source;
    this.#merge = merge;
  }

  has(numId: string): boolean {
    return this.#lists.has(numId);
  }

  /** The `w:numId` in the including template; undefined for a list that does not exist. */
  map(numId: string): string | undefined {
    const known = this.#lists.get(numId);
    if (known !== undefined) return known;
    const list = this.#source.list(numId);
    const definition = list && this.#mapDefinition(list.definition);
    if (definition === undefined) return undefined;
    const write = (id: number) =>
      withoutLevelStyles(list?.xml ?? '')
        .replace(/(<w:num\b[^>]*?\sw:numId=)(?:"[^"]*"|'[^']*')/, `$1"${id}"`)
        .replace(/<w:abstractNumId\b[^>]*>/, `<w:abstractNumId w:val="${definition}"/>`);
    const added = this.#merge.addList(write, this.#source.xml);
    this.#lists.set(numId, added);
    return added;
  }

  #mapDefinition(id: string): number | undefined {
    const known = this.#definitions.get(id);
    if (known !== undefined) return known;
    const definition = this.#source.definition(id);
    if (definition === undefined) return undefined;
    const write = (newId: number) =>
      withoutLevelStyles(definition.xml)
        .replace(/(<w:abstractNum\b[^>]*?\sw:abstractNumId=)(?:"[^"]*"|'[^']*')/, `$1"${newId}"`)
        .replace(/<w:(?:nsid|tmpl|styleLink|numStyleLink|lvlPicBulletId)\b[^>]*\/>/g, '');
    const added = this.#merge.addDefinition(write, this.#source.xml);
    this.#definitions.set(id, added);
    return added;
  }
}

/**
 * Unlinks levels from styles. A linked level counts with its style, but the including template's style has its own
 * list.
 */
function withoutLevelStyles(xml: string): string {
  return xml.replace(/<w:pStyle\b[^>]*\/>/g, '');
}

/** The numbering part of an included template. */
export class IncludedNumbering {
  readonly xml: string;
  readonly #lists: Lists;
  readonly #listOfStyle: (styleId: string) => string | undefined;

  /** `listOfStyle` returns the `w:numId` of a numbering style. */
  constructor(xml: string, listOfStyle: (styleId: string) => string | undefined) {
    this.xml = xml;
    this.#lists = readLists(xml);
    this.#listOfStyle = listOfStyle;
  }

  list(numId: string): List | undefined {
    return this.#lists.lists.get(numId);
  }

  /** The definition that holds the levels, which may belong to a numbering style. */
  definition(id: string): Definition | undefined {
    const found = this.#lists.definitions.get(id);
    if (found?.styleLink === undefined) return found;
    const list = this.#lists.lists.get(this.#listOfStyle(found.styleLink) ?? '');
    return this.#lists.definitions.get(list?.definition ?? '') ?? found;
  }
}

function readLists(xml: string): Lists {
  const definitions = new Map<string, Definition>();
  const lists = new Map<string, List>();
  let open: { tag: XmlTag; id: string; link: string | undefined } | undefined;
  scanXmlTags(xml, (tag) => {
    const value = () => attributeOf(xml, tag, 'val') ?? '';
    const isItem = tag.local === 'abstractNum' || tag.local === 'num';
    if (isItem && tag.kind === 'open') {
      const id = attributeOf(xml, tag, tag.local === 'num' ? 'numId' : 'abstractNumId') ?? '';
      open = { tag, id, link: undefined };
    } else if (isItem && tag.kind === 'close' && open !== undefined) {
      const written = xml.slice(open.tag.start, tag.end);
      if (tag.local === 'num') lists.set(open.id, { xml: written, definition: open.link ?? '' });
      else definitions.set(open.id, { id: open.id, xml: written, styleLink: open.link });
      open = undefined;
    } else if (open !== undefined && tag.kind !== 'close') {
      if (tag.local === 'numStyleLink' || tag.local === 'abstractNumId') open.link = value();
    }
  });
  return { definitions, lists };
}

const nextId = (ids: Iterable<string>): number => [...ids].reduce((next, id) => Math.max(next, Number(id) + 1 || 0), 1);
