import { scanXmlTags } from '../../../docx/package/xml-tokens.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type Attributes, readNumber } from './read-properties.ts';
import { attributesOf } from './read-styles.ts';

/** Lengths in twips. */
export interface TableProperties {
  readonly style: string | undefined;
  readonly marginTop: number;
  readonly marginBottom: number;
  readonly marginLeft: number;
  readonly marginRight: number;
  /** The width of the borders above, between and below rows. */
  readonly border: number;
}

/** Without a style, as Word's default for tables. */
const defaultMargins = { top: 0, bottom: 0, left: 108, right: 108 };
const harmless: ReadonlySet<string> = new Set([
  ...['tblPr', 'tblStyle', 'tblLook', 'jc', 'tblInd', 'tblLayout', 'shd', 'tblCaption', 'tblDescription'],
  ...['tblStyleRowBandSize', 'tblStyleColBandSize', 'tblBorders', 'tblCellMar', 'tblPrChange'],
]);
const horizontal: ReadonlySet<string> = new Set(['top', 'bottom', 'insideH']);
const vertical: ReadonlySet<string> = new Set(['left', 'right', 'start', 'end', 'insideV']);
const noBorder: ReadonlySet<string> = new Set(['nil', 'none']);

/**
 * Reads `w:tblPr` of a table and of its styles (ECMA-376 part 1, 17.4.60). `styleXml` gives these elements of a style and those it
 * is based on, the most basic first. Throws UnknownFeature.
 */
export function readTableProperties(
  xml: string,
  styleXml: (id: string | undefined) => readonly string[],
): TableProperties {
  const margins: Record<string, number> = { ...defaultMargins };
  const borders = new Map<string, number>();
  let style: string | undefined;
  scanXmlTags(xml, (tag) => {
    if (tag.local === 'tblStyle') style = attributesOf(xml, tag).get('val');
  });
  for (const each of [...styleXml(style), xml]) readInto(each, margins, borders);
  const [border = 0, ...others] = ['top', 'insideH', 'bottom'].map((side) => borders.get(side) ?? 0);
  if (others.some((other) => other !== border)) throw new UnknownFeature('borders of different widths');
  const { top = 0, bottom = 0, left = 0, right = 0 } = margins;
  return { style, marginTop: top, marginBottom: bottom, marginLeft: left, marginRight: right, border };
}

function readInto(xml: string, margins: Record<string, number>, borders: Map<string, number>): void {
  const path: string[] = [];
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') {
      path.pop();
      return;
    }
    const parent = path.at(-1) ?? '';
    if (tag.kind === 'open') path.push(tag.local);
    const attributes = attributesOf(xml, tag);
    if (parent === 'tblCellMar') {
      const side = tag.local === 'start' ? 'left' : tag.local === 'end' ? 'right' : tag.local;
      margins[side] = readNumber(attributes, 'w', 0, 2_000);
    } else if (parent === 'tblBorders') {
      if (horizontal.has(tag.local)) borders.set(tag.local, widthOf(attributes));
      else if (!vertical.has(tag.local)) throw new UnknownFeature(tag.local);
    } else if (tag.local === 'tblW') requireWidth(attributes);
    else if (tag.local === 'bidiVisual' || !harmless.has(tag.local)) throw new UnknownFeature(tag.local);
  });
}

/** Only widths in twips, or those of the columns, are the same in LibreOffice. */
function requireWidth(attributes: Attributes): void {
  const type = attributes.get('type') ?? 'dxa';
  if (type !== 'dxa' && type !== 'auto') throw new UnknownFeature(`a width in ${type}`);
}

/** Eighths of a point become twips. Other kinds than single lines have other widths. */
function widthOf(attributes: Attributes): number {
  const kind = attributes.get('val') ?? 'none';
  if (noBorder.has(kind)) return 0;
  if (kind !== 'single' || (attributes.get('space') ?? '0') !== '0') throw new UnknownFeature(`a border ${kind}`);
  return Math.round(readNumber(attributes, 'sz', 0, 96) * 2.5);
}
