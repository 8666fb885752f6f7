import { UnknownFeature } from '../unknown-feature.ts';
import { type CellFormat, plainCell } from './table-areas.ts';
import { type Margins, readCellFormat, readMargins } from './table-format.ts';
import type { Cell } from './tree.ts';
import { childOf, wholeNumber, type XmlElement } from './xml-element.ts';

/** The properties in a `w:tcPr` (17.4.70). */
export interface CellProperties {
  readonly span: number;
  readonly format: CellFormat;
  readonly margins: Partial<Margins> | undefined;
  readonly alignment: Cell['alignment'];
  /** Whether it begins a vertically merged cell, or continues the one above it (17.4.84). */
  readonly merge: 'restart' | 'continue' | undefined;
}

const known: ReadonlySet<string> = new Set(
  'w:tcW w:gridSpan w:tcBorders w:shd w:tcMar w:vAlign w:hideMark w:cnfStyle w:noWrap w:vMerge'.split(' '),
);

const plainProperties: CellProperties = {
  span: 1,
  format: plainCell,
  margins: undefined,
  alignment: 'top',
  merge: undefined,
};
/** Cached by element: equal properties share one element. */
const read = new WeakMap<XmlElement, CellProperties>();

/** Throws UnknownFeature for unknown properties. */
export function readCellProperties(element: XmlElement | undefined): CellProperties {
  if (element === undefined) return plainProperties;
  const last = read.get(element);
  if (last !== undefined) return last;
  for (const child of element.children) if (!known.has(child.name)) throw new UnknownFeature(child.name);
  const [spanned, margins] = [childOf(element, 'w:gridSpan'), childOf(element, 'w:tcMar')];
  const properties: CellProperties = {
    span: spanned === undefined ? 1 : wholeNumber(spanned, 'w:val', 1, 63),
    format: readCellFormat(element),
    margins: margins && readMargins(margins),
    alignment: readAlignment(childOf(element, 'w:vAlign')),
    merge: readMerge(childOf(element, 'w:vMerge')),
  };
  read.set(element, properties);
  return properties;
}

function readAlignment(element: XmlElement | undefined): Cell['alignment'] {
  const value = element?.attributes.get('w:val') ?? 'top';
  if (value === 'top' || value === 'center' || value === 'bottom') return value;
  throw new UnknownFeature(`w:vAlign ${value.slice(0, 20)}`);
}

function readMerge(element: XmlElement | undefined): CellProperties['merge'] {
  if (element === undefined) return undefined;
  return element.attributes.get('w:val') === 'restart' ? 'restart' : 'continue';
}
