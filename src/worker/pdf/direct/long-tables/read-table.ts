import { decodeEntities, scanXml, type XmlTag } from '../../../docx/package/xml-tokens.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { Cell, FontChoice, Paragraph, Row, TextRun } from './document-tree.ts';
import { type Attributes, readNumber, readProperty, type TextProperties, type ThemeFont } from './read-properties.ts';
import { attributesOf, type Styles } from './read-styles.ts';
import { readTableProperties, type TableProperties } from './table-properties.ts';

export interface ReadTable {
  readonly properties: TableProperties;
  readonly rows: readonly Row[];
}

/** What a document says about text outside of the table itself. */
export interface TextContext {
  readonly styles: Styles;
  readonly themeFont: ThemeFont;
}

/** Elements that take no space, and whose content says nothing here. */
const markers: ReadonlySet<string> = new Set([
  ...['bookmarkStart', 'bookmarkEnd', 'proofErr', 'lastRenderedPageBreak', 'permStart', 'permEnd'],
  ...['noProof', 'tblLook', 'shd', 'hideMark', 'cnfStyle', 'tcBorders'],
]);
const containers: ReadonlySet<string> = new Set(['tbl', 'tr', 'tc', 'p', 'r', 'tblPr', 'tblGrid', 'trPr', 'tcPr']);
const wordDefaults = { family: 'Times New Roman', halfPoints: 20 };

interface OpenCell {
  width: number | undefined;
  span: number;
  readonly paragraphs: Paragraph[];
}

/**
 * Reads a table of nothing but text (ECMA-376 part 1, 17.4). Throws UnknownFeature where it has anything else that may decide how
 * high its rows are.
 */
export function readTable(xml: string, context: TextContext): ReadTable {
  const reader = new TableReader(xml, context);
  scanXml(
    xml,
    (tag) => reader.tag(tag),
    ({ kind, start, end }) => {
      if (kind === 'text') reader.text(decodeEntities(xml.slice(start, end)));
      else if (kind === 'cdata') reader.text(xml.slice(start + 9, end - 3));
    },
  );
  return reader.end();
}

class TableReader {
  readonly #xml: string;
  readonly #context: TextContext;
  readonly #path: string[] = [];
  readonly #rows: Row[] = [];
  readonly #grid: number[] = [];
  readonly #known = new Map<string, TextProperties>();
  #propertiesStart = 0;
  #properties: TableProperties | undefined;
  #tableText: TextProperties = {};
  #row: { cells: Cell[]; exactHeight: number; canSplit: boolean } | undefined;
  #column = 0;
  #cell: OpenCell | undefined;
  #paragraph: TextProperties = {};
  #style: string | undefined;
  #mark: TextProperties = {};
  #runs: TextRun[] = [];
  #run: TextProperties = {};

  constructor(xml: string, context: TextContext) {
    this.#xml = xml;
    this.#context = context;
  }

  end(): ReadTable {
    if (this.#properties === undefined) throw new UnknownFeature('a table without properties');
    return { properties: this.#properties, rows: this.#rows };
  }

  text(text: string): void {
    if (this.#path.at(-1) === 't') this.#runs.push({ text, font: this.#fontOf(this.#run) });
  }

  tag(tag: XmlTag): void {
    if (tag.kind !== 'close') this.#open(tag);
    if (tag.kind === 'open') this.#path.push(tag.local);
    if (tag.kind === 'close') this.#path.pop();
    if (tag.kind !== 'open') this.#close(tag);
  }

  #open(tag: XmlTag): void {
    const { local } = tag;
    const parent = this.#path.at(-1) ?? '';
    if (parent === 'tblPr' || this.#path.includes('tblPr')) return;
    if (parent === 'pPr' || parent === 'rPr') {
      this.#property(parent, tag);
      return;
    }
    if (this.#path.includes('tcBorders')) return;
    if (markers.has(local)) return;
    if (containers.has(local)) {
      this.#container(tag, parent);
      return;
    }
    const attributes = attributesOf(this.#xml, tag);
    if (local === 'gridCol') this.#grid.push(readNumber(attributes, 'w', 0, 31_680));
    else if (parent === 'trPr') this.#rowProperty(local, attributes);
    else if (parent === 'tcPr') this.#cellProperty(local, attributes);
    else if (local === 'br' && !attributes.has('type')) this.#runs.push({ text: '\n', font: this.#fontOf(this.#run) });
    else if (local === 'rPr' && parent === 'r') this.#run = {};
    else if (local !== 't' && local !== 'pPr' && local !== 'rPr') throw new UnknownFeature(local);
  }

  #container(tag: XmlTag, parent: string): void {
    const { local } = tag;
    if (local === 'tbl' && this.#path.length > 0) throw new UnknownFeature('a table in a table');
    if (local === 'tblPr') this.#propertiesStart = tag.start;
    if (local === 'tr') {
      this.#row = { cells: [], exactHeight: 0, canSplit: true };
      this.#column = 0;
    }
    if (local === 'tc') this.#cell = { width: undefined, span: 1, paragraphs: [] };
    if (local === 'p') {
      if (parent !== 'tc') throw new UnknownFeature(`p in ${parent}`);
      [this.#paragraph, this.#style, this.#mark, this.#runs] = [{}, undefined, {}, []];
    }
    if (local === 'r') {
      if (parent !== 'p') throw new UnknownFeature(`r in ${parent}`);
      this.#run = {};
    }
  }

  #property(parent: string, tag: XmlTag): void {
    const place = this.#path.at(-2);
    const attributes = attributesOf(this.#xml, tag);
    if (tag.local === 'pStyle') this.#style = attributes.get('val');
    else if (tag.local === 'rStyle') this.#run = { ...this.#run, ...this.#context.styles.of(attributes.get('val')) };
    else {
      const read = readProperty(tag.local, attributes, this.#context.themeFont);
      if (parent === 'pPr') this.#paragraph = { ...this.#paragraph, ...read };
      else if (place === 'r') this.#run = { ...this.#run, ...read };
      else this.#mark = { ...this.#mark, ...read };
    }
  }

  #rowProperty(local: string, attributes: Attributes): void {
    const row = this.#row;
    const isOn = !/^(?:0|false|off)$/.test(attributes.get('val') ?? '');
    if (row === undefined) throw new UnknownFeature(local);
    if (local === 'cantSplit') row.canSplit = !isOn;
    else if (local === 'trHeight') {
      row.exactHeight = readNumber(attributes, 'val', 0, 31_680);
      // Where LibreOffice ends a page in rows of a least height is not known.
      if (row.exactHeight > 0 && attributes.get('hRule') !== 'exact')
        throw new UnknownFeature('a row of a least height');
    } else if (local !== 'tblHeader' && local !== 'jc') throw new UnknownFeature(local);
  }

  #cellProperty(local: string, attributes: Attributes): void {
    const cell = this.#cell;
    if (cell === undefined) throw new UnknownFeature(local);
    if (local === 'tcW')
      cell.width = attributes.get('type') === 'dxa' ? readNumber(attributes, 'w', 1, 31_680) : undefined;
    else if (local === 'gridSpan') cell.span = readNumber(attributes, 'val', 1, 63);
    else if (local !== 'vAlign' || attributes.get('val') !== 'top') throw new UnknownFeature(local);
  }

  #close({ local, end }: XmlTag): void {
    if (local === 'tblPr' && this.#path.length === 1) {
      const properties = this.#xml.slice(this.#propertiesStart, end);
      this.#properties = readTableProperties(properties, (id) => this.#context.styles.tablesOf(id));
      this.#tableText = this.#context.styles.of(this.#properties.style);
    } else if (local === 'p' && this.#path.at(-1) === 'tc') this.#endParagraph();
    else if (local === 'tc') this.#endCell();
    else if (local === 'tr' && this.#row !== undefined) {
      this.#rows.push(this.#row);
      this.#row = undefined;
    }
  }

  #endParagraph(): void {
    const text = this.#inherited(this.#style);
    const all = { ...text, ...this.#paragraph };
    this.#cell?.paragraphs.push({
      runs: this.#runs,
      markFont: this.#fontOf(this.#mark),
      style: this.#style ?? this.#context.styles.defaultParagraph ?? '',
      before: all.before ?? 0,
      after: all.after ?? 0,
      line: all.line ?? 240,
      lineRule: all.lineRule ?? 'auto',
      left: all.left ?? 0,
      right: all.right ?? 0,
      firstLine: all.firstLine ?? 0,
      hasContextualSpacing: all.hasContextualSpacing ?? false,
      hasWidowControl: all.hasWidowControl ?? this.#context.styles.hasParagraphDefaults,
      keepsLines: all.keepsLines ?? false,
    });
    this.#runs = [];
  }

  #endCell(): void {
    const [cell, row, properties] = [this.#cell, this.#row, this.#properties];
    if (cell === undefined || row === undefined || properties === undefined)
      throw new UnknownFeature('a misplaced cell');
    const columns = this.#grid.slice(this.#column, this.#column + cell.span);
    const width = columns.reduce((sum, column) => sum + column, 0);
    if (columns.length !== cell.span || (cell.width !== undefined && Math.abs(cell.width - width) > 1))
      throw new UnknownFeature('widths of cells that differ from those of their columns');
    this.#column += cell.span;
    row.cells.push({ paragraphs: cell.paragraphs, textWidth: width - properties.marginLeft - properties.marginRight });
    this.#cell = undefined;
  }

  /** Defaults, then the table's style, then the paragraph's (17.7.2). */
  #inherited(style: string | undefined): TextProperties {
    const { styles } = this.#context;
    const name = style ?? styles.defaultParagraph;
    const key = name ?? '';
    const known = this.#known.get(key) ?? { ...styles.defaults, ...this.#tableText, ...styles.of(name) };
    this.#known.set(key, known);
    return known;
  }

  #fontOf(run: TextProperties): FontChoice {
    const { family, halfPoints, isBold, isItalic } = { ...wordDefaults, ...this.#inherited(this.#style), ...run };
    return { family, halfPoints, isBold: isBold ?? false, isItalic: isItalic ?? false };
  }
}
