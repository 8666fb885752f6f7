import { UnknownFeature } from '../unknown-feature.ts';
import { readBorder, readParagraphFormat } from './paragraph-format.ts';
import { readShading } from './run-format.ts';
import type { StyleSheet } from './style-sheet.ts';
import type { Border, ParagraphFormat } from './tree.ts';
import { allowAttributes, childOf, wholeNumber, type XmlElement } from './xml-element.ts';

/** A side that is not given is inherited; one without a border is null. */
export type Borders = Readonly<Partial<Record<Side, Border | null>>>;
export type Side = 'top' | 'bottom' | 'left' | 'right' | 'insideH' | 'insideV';
export type Margins = Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>;

/** What a table and its styles say (ECMA-376 part 1, 17.4.60). */
export interface TableFormat {
  readonly indent: number;
  readonly alignment: 'left' | 'center' | 'right';
  readonly borders: Borders;
  readonly margins: Margins;
  readonly cell: CellFormat;
  readonly firstRow: CellFormat | undefined;
  /** For the paragraphs of its cells. */
  readonly paragraph: Partial<ParagraphFormat>;
}

export interface CellFormat {
  readonly borders: Borders;
  readonly shading: string | undefined;
}

/** Without a style, as Word's default for tables. */
const plainMargins: Margins = { top: 0, bottom: 0, left: 108, right: 108 };
const longest = 31_680;
const sides: Readonly<Record<string, Side>> = {
  'w:top': 'top',
  'w:bottom': 'bottom',
  'w:left': 'left',
  'w:start': 'left',
  'w:right': 'right',
  'w:end': 'right',
  'w:insideH': 'insideH',
  'w:insideV': 'insideV',
};
const harmless: ReadonlySet<string> = new Set(
  'w:tblStyle w:tblLook w:tblCaption w:tblDescription w:tblStyleRowBandSize w:tblStyleColBandSize'.split(' '),
);
const harmlessInStyle: ReadonlySet<string> = new Set(
  (
    'w:name w:aliases w:basedOn w:next w:link w:autoRedefine w:hidden w:uiPriority w:semiHidden w:unhideWhenUsed ' +
    'w:qFormat w:locked w:rsid w:tblPr w:tcPr w:tblStylePr w:trPr'
  ).split(' '),
);
/** The bits of `w:tblLook` (17.4.56) that switch the formats of some rows and columns on or off. */
const looks: Readonly<Record<string, (look: number) => boolean>> = {
  wholeTable: () => true,
  firstRow: (look) => (look & 0x20) !== 0,
  lastRow: (look) => (look & 0x40) !== 0,
  firstCol: (look) => (look & 0x80) !== 0,
  lastCol: (look) => (look & 0x100) !== 0,
  band1Horz: (look) => (look & 0x200) === 0,
  band2Horz: (look) => (look & 0x200) === 0,
  band1Vert: (look) => (look & 0x400) === 0,
  band2Vert: (look) => (look & 0x400) === 0,
};

interface OpenFormat {
  indent: number;
  alignment: TableFormat['alignment'];
  borders: Borders;
  margins: Margins;
}

/** Reads a `w:tblPr` with the styles that it names. Throws UnknownFeature. */
export function readTableFormat(properties: XmlElement, styles: StyleSheet): TableFormat {
  const format: OpenFormat = { indent: 0, alignment: 'left', borders: {}, margins: plainMargins };
  const look = readLook(childOf(properties, 'w:tblLook'));
  let cell: CellFormat = { borders: {}, shading: undefined };
  let firstRow: CellFormat | undefined;
  let paragraph: Partial<ParagraphFormat> = {};
  const style = childOf(properties, 'w:tblStyle')?.attributes.get('w:val');
  for (const element of styles.tableStyles(style)) {
    for (const child of element.children) requireHarmless(child);
    const own = childOf(element, 'w:tblPr');
    if (own !== undefined) readInto(own, format);
    paragraph = { ...paragraph, ...readParagraphFormat(childOf(element, 'w:pPr'), []) };
    cell = mergeCell(cell, readCellFormat(childOf(element, 'w:tcPr')));
    for (const part of element.children) {
      if (part.name !== 'w:tblStylePr') continue;
      const type = part.attributes.get('w:type') ?? '';
      if (looks[type]?.(look) === false) continue;
      if (type !== 'firstRow') throw new UnknownFeature(`the format ${type} of a table style`);
      for (const child of part.children)
        if (child.children.length > 0 && child.name !== 'w:tcPr') throw new UnknownFeature(`${child.name} of ${type}`);
      firstRow = mergeCell(firstRow ?? { borders: {}, shading: undefined }, readCellFormat(childOf(part, 'w:tcPr')));
    }
  }
  readInto(properties, format);
  return { ...format, cell, firstRow, paragraph };
}

function requireHarmless(child: XmlElement): void {
  if (harmlessInStyle.has(child.name)) return;
  const isEmpty =
    (child.name === 'w:rPr' && child.children.length === 0) ||
    (child.name === 'w:pPr' && child.children.every(({ name }) => name === 'w:spacing'));
  if (!isEmpty) throw new UnknownFeature(`${child.name} of a table style`);
}

function readLook(element: XmlElement | undefined): number {
  return element === undefined ? 0 : Number.parseInt(element.attributes.get('w:val') ?? '0', 16) || 0;
}

function readInto(properties: XmlElement, format: OpenFormat): void {
  for (const child of properties.children) {
    if (child.name === 'w:tblInd') format.indent = readWidth(child) ?? 0;
    else if (child.name === 'w:jc') format.alignment = readAlignment(child);
    else if (child.name === 'w:tblBorders') format.borders = { ...format.borders, ...readBorders(child) };
    else if (child.name === 'w:tblCellMar') format.margins = { ...format.margins, ...readMargins(child) };
    else if (child.name === 'w:tblW') requireFixed(child);
    else if (child.name === 'w:tblLayout') allowAttributes(child, 'w:type');
    else if (!harmless.has(child.name)) throw new UnknownFeature(child.name);
  }
}

/** Only widths in twips, or those of the columns, are the same in LibreOffice. */
function requireFixed(element: XmlElement): void {
  const type = element.attributes.get('w:type') ?? 'dxa';
  if (type !== 'dxa' && type !== 'auto') throw new UnknownFeature(`w:tblW in ${type}`);
}

/** A width (ST_TblWidth) in twips; undefined for an automatic one. */
function readWidth(element: XmlElement): number | undefined {
  const type = element.attributes.get('w:type') ?? 'dxa';
  if (type === 'auto' || type === 'nil') return undefined;
  if (type !== 'dxa') throw new UnknownFeature(`${element.name} in ${type}`);
  return wholeNumber(element, 'w:w', -longest, longest);
}

function readAlignment(element: XmlElement): TableFormat['alignment'] {
  const value = element.attributes.get('w:val') ?? '';
  if (value === 'center' || value === 'right') return value;
  if (value === 'left' || value === 'start') return 'left';
  throw new UnknownFeature(`w:jc ${value.slice(0, 20)} of a table`);
}

function readBorders(element: XmlElement): Borders {
  const borders: { [S in Side]?: Border | null } = {};
  for (const child of element.children) {
    const side = sides[child.name];
    const border = readBorder(child);
    if (side !== undefined) borders[side] = border ?? null;
    else if (border !== undefined) throw new UnknownFeature(`${child.name} of a cell`);
  }
  return borders;
}

export function readMargins(element: XmlElement): Partial<Margins> {
  const margins: { -readonly [K in keyof Margins]?: number } = {};
  for (const child of element.children) {
    const side = sides[child.name];
    if (side === undefined || side === 'insideH' || side === 'insideV') throw new UnknownFeature(child.name);
    margins[side] = Math.max(0, readWidth(child) ?? 0);
  }
  return margins;
}

/** What the properties of cells say about their looks; the other ones belong to single cells. */
export function readCellFormat(properties: XmlElement | undefined): CellFormat {
  const borders = properties && childOf(properties, 'w:tcBorders');
  const shading = properties && childOf(properties, 'w:shd');
  const read = borders === undefined ? {} : readBorders(borders);
  if ('insideH' in read || 'insideV' in read) throw new UnknownFeature('borders inside of cells');
  return { borders: read, shading: shading && readShading(shading) };
}

/** The format of a cell: `over` has precedence. */
export function mergeCell(under: CellFormat, over: CellFormat): CellFormat {
  return { borders: { ...under.borders, ...over.borders }, shading: over.shading ?? under.shading };
}
