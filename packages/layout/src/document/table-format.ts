import { UnknownFeature } from '../unknown-feature.ts';
import { nothingInherited, readBorder, readParagraphFormat } from './paragraph-format.ts';
import { type FormatContext, readRunFormat, readShading } from './run-format.ts';
import type { StyleSheet } from './style-sheet.ts';
import {
  type AreaFormat,
  type AreaName,
  areaNames,
  areasAt,
  type Borders,
  type CellFormat,
  type CellPlace,
  mergeArea,
  plainCell,
  type Side,
} from './table-areas.ts';
import type { Border } from './tree.ts';
import { allowAttributes, childOf, wholeNumber, type XmlElement } from './xml-element.ts';

export type Margins = Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>;

/** The properties of a table and its styles (ECMA-376 part 1, 17.4.60). */
export interface TableFormat {
  readonly indent: number;
  readonly alignment: 'left' | 'center' | 'right';
  /** The width in percent of the text column, if the table specifies a percentage. */
  readonly percent: number | undefined;
  readonly borders: Borders;
  readonly margins: Margins;
  /** What styles set for all cells. */
  readonly whole: AreaFormat;
  /** What styles set for a cell; cells in the same areas share one object. Throws UnknownFeature. */
  readonly formatAt: (place: CellPlace) => AreaFormat;
}

/** Without a style: Word's defaults for tables. */
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
const knownInStyle: ReadonlySet<string> = new Set(
  (
    'w:name w:aliases w:basedOn w:next w:link w:autoRedefine w:hidden w:uiPriority w:semiHidden w:unhideWhenUsed ' +
    'w:qFormat w:locked w:rsid w:pPr w:rPr w:tblPr w:tcPr w:tblStylePr w:trPr'
  ).split(' '),
);
interface OpenFormat {
  indent: number;
  alignment: TableFormat['alignment'];
  percent: number | undefined;
  borders: Borders;
  margins: Margins;
}

const nothing: AreaFormat = { borders: {}, shading: undefined, paragraph: {}, run: {} };

/** Reads a `w:tblPr` and the styles it names. Throws UnknownFeature. */
export function readTableFormat(properties: XmlElement, styles: StyleSheet, context: FormatContext): TableFormat {
  const format: OpenFormat = { indent: 0, alignment: 'left', percent: undefined, borders: {}, margins: plainMargins };
  const look = readLook(childOf(properties, 'w:tblLook'));
  let whole = nothing;
  const areas = new Map<AreaName, XmlElement[]>();
  const style = childOf(properties, 'w:tblStyle')?.attributes.get('w:val');
  for (const element of styles.tableStyles(style)) {
    for (const child of element.children)
      if (!knownInStyle.has(child.name)) throw new UnknownFeature(`${child.name} of a table style`);
    requirePlainDefault(element);
    const own = childOf(element, 'w:tblPr');
    if (own !== undefined) readInto(own, format);
    whole = mergeArea(whole, readAreaFormat(element, context));
    for (const part of element.children) {
      if (part.name !== 'w:tblStylePr') continue;
      const type = part.attributes.get('w:type') ?? '';
      const name = areaNames.find((known) => known === type);
      if (name === undefined) throw new UnknownFeature(`the format ${type} of a table style`);
      areas.set(name, [...(areas.get(name) ?? []), part]);
    }
  }
  readInto(properties, format);
  return { ...format, whole, formatAt: areaReader(whole, areas, look, context) };
}

/** Throws UnknownFeature for text formats, because LibreOffice does not apply all of them. */
function requirePlainDefault(style: XmlElement): void {
  if (!style.attributes.has('w:default')) return;
  const formats = ['w:pPr', 'w:rPr'].flatMap((name) => childOf(style, name)?.children ?? []);
  if (formats.some(({ name }) => name !== 'w:lang'))
    throw new UnknownFeature('text formats of the default table style');
}

/**
 * Reads an area only when a cell is in it. Most tables have no cells in most areas of their style, whose formats then
 * need no support.
 */
function areaReader(
  whole: AreaFormat,
  areas: ReadonlyMap<AreaName, readonly XmlElement[]>,
  look: number,
  context: FormatContext,
): TableFormat['formatAt'] {
  if (areas.size === 0) return () => whole;
  const formats = new Map<string, AreaFormat>();
  return (place) => {
    const names = areasAt(place, look);
    const key = names.join();
    const parts = (): readonly XmlElement[] => names.flatMap((name) => areas.get(name) ?? []);
    const format =
      formats.get(key) ?? parts().reduce((under, part) => mergeArea(under, readAreaFormat(part, context)), whole);
    formats.set(key, format);
    return format;
  };
}

function readAreaFormat(element: XmlElement, context: FormatContext): AreaFormat {
  const paragraph = readParagraphFormat(childOf(element, 'w:pPr'), nothingInherited, context.attempt);
  // LibreOffice ignores the outline level of a table style.
  const { outlineLevel: _outlineLevel, ...format } = paragraph;
  return {
    ...readCellFormat(childOf(element, 'w:tcPr')),
    paragraph: format,
    run: readRunFormat(childOf(element, 'w:rPr'), context),
  };
}

/** First row, first column and row bands: LibreOffice's default for a `w:tblLook` without the attribute `w:val`. */
const plainLook = '04A0';

function readLook(element: XmlElement | undefined): number {
  return Number.parseInt(element?.attributes.get('w:val') ?? plainLook, 16) || 0;
}

function readInto(properties: XmlElement, format: OpenFormat): void {
  for (const child of properties.children) {
    if (child.name === 'w:tblInd') format.indent = readWidth(child) ?? 0;
    else if (child.name === 'w:jc') format.alignment = readTableAlignment(child);
    else if (child.name === 'w:tblBorders') format.borders = { ...format.borders, ...readBorders(child) };
    else if (child.name === 'w:tblCellMar') format.margins = { ...format.margins, ...readMargins(child) };
    else if (child.name === 'w:tblW') format.percent = readPercent(child);
    else if (child.name === 'w:tblLayout') allowAttributes(child, 'w:type');
    else if (!harmless.has(child.name)) throw new UnknownFeature(child.name);
  }
}

/** The width of a table (17.4.63) if it is a share, in fiftieths of a percent; LibreOffice uses whole percents. */
function readPercent(element: XmlElement): number | undefined {
  const type = element.attributes.get('w:type') ?? 'dxa';
  if (type === 'dxa' || type === 'auto') return undefined;
  if (type !== 'pct') throw new UnknownFeature(`w:tblW in ${type}`);
  return Math.floor(wholeNumber(element, 'w:w', 50, 5_049) / 50);
}

/** A width (ST_TblWidth) in twips; undefined for an automatic one. */
function readWidth(element: XmlElement): number | undefined {
  const type = element.attributes.get('w:type') ?? 'dxa';
  if (type === 'auto' || type === 'nil') return undefined;
  if (type !== 'dxa') throw new UnknownFeature(`${element.name} in ${type}`);
  return wholeNumber(element, 'w:w', -longest, longest);
}

export function readTableAlignment(element: XmlElement): TableFormat['alignment'] {
  const value = element.attributes.get('w:val') ?? '';
  if (value === 'center' || value === 'right') return value;
  if (value === 'left' || value === 'start') return 'left';
  throw new UnknownFeature(`w:jc ${value.slice(0, 20)} of a table`);
}

export function readBorders(element: XmlElement): Borders {
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

/** The appearance that cell properties set, without the properties that belong to single cells. */
export function readCellFormat(properties: XmlElement | undefined): CellFormat {
  const borders = properties && childOf(properties, 'w:tcBorders');
  const shading = properties && childOf(properties, 'w:shd');
  if (borders === undefined && shading === undefined) return plainCell;
  return { borders: borders === undefined ? {} : readBorders(borders), shading: shading && readShading(shading) };
}
