import { attributeOf, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import type { CellValue } from './workbook/filled-sheet.ts';

/** Data of a chart that a formula takes from its workbook. */
export interface Reference {
  readonly formula: string;
  readonly role: ReferenceRole;
  /** The number of its series, from 1; undefined outside series. */
  readonly series: number | undefined;
  /** Offsets in the text of the chart. */
  readonly start: number;
  readonly end: number;
  /** Writes its markup with a new formula and new cell values, row by row. */
  readonly write: (formula: string, rows: readonly (readonly CellValue[])[]) => string;
}

/** `value` and `x`: numbers that the chart draws. `category`: names along an axis. `text`: titles and names of series. */
export type ReferenceRole = 'value' | 'x' | 'category' | 'text';

const marker = /<chart-reference n="(\d+)"\/>/;

/** The chart with a marker in place of each chosen reference. */
export function markReferences(xml: string, references: readonly (Reference | undefined)[]): string {
  const pieces: string[] = [];
  let read = 0;
  for (const [i, reference] of references.entries()) {
    if (reference === undefined) continue;
    pieces.push(xml.slice(read, reference.start), `<chart-reference n="${i}"/>`);
    read = reference.end;
  }
  return [...pieces, xml.slice(read)].join('');
}

/** Splits a string at its markers into indexes of references and the markup between them. */
export function splitAtReferences(xml: string): (string | number)[] {
  return xml.split(marker).map((piece, i) => (i % 2 === 0 ? piece : Number(piece)));
}

/** Finds the `c:chart` tags of a part, each with the id of its relationship. */
export function findChartTags(xml: string): { readonly tag: XmlTag; readonly id: string }[] {
  if (!/[<:]chart\s/.test(xml)) return [];
  const found: { tag: XmlTag; id: string }[] = [];
  scanXmlTags(xml, (tag) => {
    const id = tag.local === 'chart' && tag.kind !== 'close' ? attributeOf(xml, tag, 'id') : undefined;
    if (id !== undefined) found.push({ tag, id });
  });
  return found;
}
