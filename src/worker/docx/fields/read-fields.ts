import { attributeOf, scanXmlTags, textContent, type XmlTag } from '@docmill/word/xml-tokens';

/** A run around a piece of a field. */
export interface FieldRun {
  /** The markup of its properties, such as `<w:rPr>…</w:rPr>`. */
  readonly properties: string;
}

/** An element inside a run. */
export interface FieldPiece {
  readonly kind: 'code' | 'text';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly run: FieldRun;
}

/** A mark of a field: `w:fldChar`, or a tag of `w:fldSimple`. */
interface Mark {
  readonly start: number;
  readonly end: number;
  readonly run: FieldRun;
}

export type FieldItem = FieldPiece | Field;

/** A field (ECMA-376 part 1, 17.16) with the fields inside its code and its result. */
export interface Field {
  readonly kind: 'field';
  readonly isSimple: boolean;
  readonly begin: Mark;
  separate: Mark | undefined;
  close: Mark;
  /** The code of a simple field, which is an attribute. */
  readonly attribute: string;
  readonly code: FieldItem[];
  readonly result: FieldItem[];
  /** Whether the field begins and ends in one paragraph, and its code is text alone. */
  isWhole: boolean;
  readonly isLocked: boolean;
  readonly cell: Cell | undefined;
  /** The number of sections of the document that end before the field. */
  readonly section: number;
}

/** A cell of a table. */
export interface Cell {
  readonly table: Table;
  readonly row: number;
  /** Its position among the cells of its row, and the columns of the grid that it covers. */
  readonly index: number;
  readonly column: number;
  span: number;
  readonly items: (FieldItem | 'paragraph')[];
}

export interface Table {
  readonly rows: Cell[][];
}

export interface Bookmark {
  readonly items: FieldItem[];
  /** The table that it is in or around. */
  table: Table | undefined;
}

export interface PartFields {
  /** Fields that are not inside others, in order. */
  readonly fields: readonly Field[];
  /** By lower-case name. */
  readonly bookmarks: ReadonlyMap<string, Bookmark>;
}

const noRun: FieldRun = { properties: '' };
const maxDepth = 20;

/** Reads all fields of a part whose marks are balanced; undefined if they are not, or nest too deeply. */
export function readFields(xml: string): PartFields | undefined {
  const reader = new Reader(xml);
  scanXmlTags(xml, (tag) => reader.visit(tag));
  return reader.finish();
}

class Reader {
  readonly #xml: string;
  readonly #fields: Field[] = [];
  readonly #open: Field[] = [];
  readonly #cells: Cell[] = [];
  readonly #tables: Table[] = [];
  readonly #bookmarks = new Map<string, Bookmark>();
  readonly #openBookmarks = new Map<string, Bookmark>();
  #run: FieldRun = noRun;
  #propertiesStart = -1;
  #element: XmlTag | undefined;
  #section = 0;
  #isBroken = false;
  #isInRun = false;

  constructor(xml: string) {
    this.#xml = xml;
  }

  finish(): PartFields | undefined {
    if (this.#isBroken || this.#open.length > 0) return undefined;
    return { fields: this.#fields, bookmarks: this.#bookmarks };
  }

  visit(tag: XmlTag): void {
    if (this.#isInRun && this.#inRun(tag)) return;
    const { local, kind } = tag;
    if (local === 'r') this.#startRun(kind === 'open');
    else if (local === 'p' && kind === 'close') this.#endParagraph();
    else if (local === 'fldSimple') this.#simple(tag);
    else if (local === 'sectPr' && kind !== 'close') this.#section++;
    else if (/^bookmark(?:Start|End)$/.test(local) && kind !== 'close') this.#bookmark(tag);
    else this.#table(tag);
  }

  #startRun(isOpen: boolean): void {
    this.#isInRun = isOpen;
    this.#run = { properties: '' };
  }

  /** Returns whether the tag is content of a run. */
  #inRun(tag: XmlTag): boolean {
    const { local, kind } = tag;
    if (local === 'r' && kind === 'close') return false;
    if (local === 'rPr') {
      if (kind === 'open') this.#propertiesStart = tag.start;
      if (kind === 'close' && this.#propertiesStart >= 0)
        this.#run = { properties: this.#xml.slice(this.#propertiesStart, tag.end) };
      if (kind !== 'open') this.#propertiesStart = -1;
    } else if (this.#propertiesStart < 0) this.#content(tag);
    return true;
  }

  #content(tag: XmlTag): void {
    const { local, kind } = tag;
    if (local === 'fldChar' && kind !== 'close') {
      if (kind === 'open') this.#element = tag;
      this.#fieldChar(tag, attributeOf(this.#xml, tag, 'fldCharType'));
    } else if (local === 'instrText' || local === 't') {
      if (kind === 'open') this.#element = tag;
      if (kind === 'close' && this.#element !== undefined) {
        const text = textContent(this.#xml.slice(this.#element.end, tag.start));
        this.#add({ kind: local === 't' ? 'text' : 'code', text, start: this.#element.start, end: tag.end });
        this.#element = undefined;
      }
    } else if (kind === 'empty' && /^(?:tab|br|cr|noBreakHyphen)$/.test(local)) {
      this.#add({ kind: 'text', text: local === 'noBreakHyphen' ? '-' : ' ', start: tag.start, end: tag.end });
    } else if (kind === 'open' && /^(?:drawing|pict|object|AlternateContent)$/.test(local)) {
      for (const field of this.#open) if (field.separate === undefined) field.isWhole = false;
      // The runs of a text box are not content of this run.
      this.#isInRun = false;
    }
  }

  #add(piece: Omit<FieldPiece, 'run'>): void {
    this.#addItem({ ...piece, run: this.#run });
  }

  #addItem(item: FieldItem): void {
    const field = this.#open.at(-1);
    if (field !== undefined) (field.separate === undefined && !field.isSimple ? field.code : field.result).push(item);
    else {
      if (item.kind === 'field') this.#fields.push(item);
      this.#cells.at(-1)?.items.push(item);
      for (const { items } of this.#openBookmarks.values()) items.push(item);
    }
  }

  #fieldChar(tag: XmlTag, type: string | undefined): void {
    const end = tag.kind === 'open' ? this.#xml.indexOf('>', this.#xml.indexOf('</', tag.end)) + 1 : tag.end;
    const mark: Mark = { start: tag.start, end, run: this.#run };
    if (type === 'begin') this.#begin(mark, { isSimple: false, attribute: '', isLocked: isLocked(this.#xml, tag) });
    else {
      const field = this.#open.at(-1);
      if (field === undefined || field.isSimple) this.#isBroken = true;
      else if (type === 'separate') field.separate = mark;
      else this.#end(field, mark);
    }
  }

  #simple(tag: XmlTag): void {
    const mark: Mark = { start: tag.start, end: tag.end, run: noRun };
    if (tag.kind === 'close') {
      const field = this.#open.at(-1);
      if (field?.isSimple === true) this.#end(field, mark);
      else this.#isBroken = true;
      return;
    }
    const attribute = attributeOf(this.#xml, tag, 'instr') ?? '';
    this.#begin(mark, { isSimple: true, attribute, isLocked: isLocked(this.#xml, tag) });
    const field = this.#open.at(-1);
    if (tag.kind === 'empty' && field !== undefined) this.#end(field, mark);
  }

  #begin(begin: Mark, kind: Pick<Field, 'isSimple' | 'attribute' | 'isLocked'>): void {
    if (this.#open.length >= maxDepth) this.#isBroken = true;
    const place = { cell: this.#cells.at(-1), section: this.#section };
    const content = { code: [], result: [], separate: undefined };
    this.#open.push({ kind: 'field', ...kind, ...place, ...content, begin, close: begin, isWhole: true });
  }

  #end(field: Field, close: Mark): void {
    this.#open.pop();
    field.close = close;
    this.#addItem(field);
  }

  #endParagraph(): void {
    for (const field of this.#open) field.isWhole = false;
    this.#cells.at(-1)?.items.push('paragraph');
  }

  #bookmark(tag: XmlTag): void {
    const id = attributeOf(this.#xml, tag, 'id') ?? '';
    if (tag.local === 'bookmarkEnd') this.#openBookmarks.delete(id);
    else {
      const bookmark: Bookmark = { items: [], table: this.#tables.at(-1) };
      this.#openBookmarks.set(id, bookmark);
      this.#bookmarks.set((attributeOf(this.#xml, tag, 'name') ?? '').toLowerCase(), bookmark);
    }
  }

  #table({ local, kind, start, end }: XmlTag): void {
    if (local === 'tbl' && kind === 'open') this.#openTable();
    else if (local === 'tbl' && kind === 'close') this.#tables.pop();
    else if (local === 'tr' && kind === 'open') this.#tables.at(-1)?.rows.push([]);
    else if (local === 'tc' && kind === 'close') this.#cells.pop();
    else if (local === 'tc' && kind === 'open') this.#cell();
    else if (local === 'gridSpan' && kind !== 'close') {
      const cell = this.#cells.at(-1);
      if (cell !== undefined) cell.span = Number(attributeOf(this.#xml, { local, kind, start, end }, 'val')) || 1;
    }
  }

  #openTable(): void {
    const table: Table = { rows: [] };
    this.#tables.push(table);
    for (const bookmark of this.#openBookmarks.values()) bookmark.table ??= table;
  }

  #cell(): void {
    const table = this.#tables.at(-1) ?? { rows: [] };
    const cells = table.rows.at(-1) ?? [];
    const before = cells.at(-1);
    const column = before === undefined ? 0 : before.column + before.span;
    const cell: Cell = { table, row: table.rows.length - 1, index: cells.length, column, span: 1, items: [] };
    cells.push(cell);
    this.#cells.push(cell);
  }
}

function isLocked(xml: string, tag: XmlTag): boolean {
  return /^(?:1|true|on)$/.test(attributeOf(xml, tag, 'fldLock') ?? '');
}
