import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';

interface Table {
  bidi: XmlTag | undefined;
  justification: XmlTag | undefined;
  indent: XmlTag | undefined;
  isFloating: boolean;
  /** In twentieths of a point; 0 if only its columns tell. */
  width: number;
  columnWidths: number;
  readonly depth: number;
}

/** A table with an indent, whose place depends on the width of the text. */
interface Indented {
  readonly element: XmlTag;
  readonly size: number;
  readonly width: number;
}

/**
 * Places tables that run from right to left as Word does: at the right, unless they are aligned to their end, which is at
 * the left (ECMA-376 part 1, 17.4.1 and 17.4.28). LibreOffice takes left and right as they are. Undefined if nothing
 * changed.
 */
export function placeRtlTables(xml: string): string | undefined {
  if (!xml.includes('bidiVisual')) return undefined;
  const reader = new TableReader(xml);
  scanXmlTags(xml, (tag) => reader.visit(tag));
  return reader.edits.isEmpty ? undefined : reader.edits.apply(xml);
}

class TableReader {
  readonly edits = new TextEdits();
  readonly #xml: string;
  readonly #open: Table[] = [];
  #indented: Indented[] = [];
  #textWidth = 0;

  constructor(xml: string) {
    this.#xml = xml;
  }

  visit(tag: XmlTag): void {
    const { local, kind } = tag;
    if (local === 'tbl') this.#table(kind);
    else if (local === 'sectPr' && kind !== 'close') this.#textWidth = 0;
    else if (local === 'sectPr') this.#placeIndented();
    else if (local === 'pgSz' && kind !== 'close') this.#textWidth += this.#number(tag, 'w');
    else if (local === 'pgMar' && kind !== 'close')
      for (const side of ['left', 'right', 'gutter']) this.#textWidth -= this.#number(tag, side);
    else this.#property(tag);
  }

  #number(tag: XmlTag, name: string): number {
    return Number(attributeOf(this.#xml, tag, name)) || 0;
  }

  #table(kind: XmlTag['kind']): void {
    const facts = { bidi: undefined, justification: undefined, indent: undefined };
    if (kind === 'open')
      this.#open.push({ ...facts, isFloating: false, width: 0, columnWidths: 0, depth: this.#open.length });
    if (kind === 'close') this.#open.pop();
  }

  #property(tag: XmlTag): void {
    const table = this.#open.at(-1);
    if (table === undefined) return;
    if (tag.local === 'tblGrid' && tag.kind !== 'open') this.#place(table);
    if (tag.kind === 'close') return;
    if (tag.local === 'gridCol') table.columnWidths += this.#number(tag, 'w');
    else if (tag.local === 'tblpPr') table.isFloating = true;
    else if (tag.local === 'bidiVisual') {
      if (!/^(?:0|false|off)$/.test(attributeOf(this.#xml, tag, 'val') ?? '1')) table.bidi = tag;
    } else if (tag.local === 'tblInd') table.indent ??= tag;
    else if (tag.local === 'jc' && table.columnWidths === 0) table.justification ??= tag;
    else if (tag.local === 'tblW' && attributeOf(this.#xml, tag, 'type') === 'dxa')
      table.width = this.#number(tag, 'w');
  }

  #place(table: Table): void {
    const { bidi, justification, indent, isFloating, depth } = table;
    if (bidi === undefined || isFloating) return;
    const side = (justification && attributeOf(this.#xml, justification, 'val')) ?? 'start';
    const isLeading = side === 'start' || side === 'left';
    const size = indent === undefined ? 0 : this.#number(indent, 'w');
    if (indent !== undefined && isLeading && size > 0 && depth === 0) {
      this.#indented.push({ element: indent, size, width: table.width || table.columnWidths });
      return;
    }
    if (!isLeading && side !== 'end' && side !== 'right') return;
    const written = `<w:jc w:val="${isLeading ? 'right' : 'left'}"/>`;
    const { start, end } = justification ?? { start: bidi.end, end: bidi.end };
    this.edits.replace(start, end, written);
    if (indent !== undefined && !isLeading) this.edits.replace(indent.start, indent.end);
  }

  /** An indent is measured from the right, but LibreOffice knows only indents from the left. */
  #placeIndented(): void {
    for (const { element, size, width } of this.#indented) {
      const fromLeft = Math.max(0, this.#textWidth - width - size);
      this.edits.replace(element.start, element.end, `<w:tblInd w:w="${fromLeft}" w:type="dxa"/>`);
    }
    this.#indented = [];
  }
}
