import { attributeOf, readAttributes, scanXmlTags, textContent, type XmlTag } from '@docmill/word/xml-tokens';
import { chartLimits } from '../chart-limits.ts';
import { columnNumber } from './area.ts';

/** One cell of a worksheet. `start` and `end` are offsets in the text of its part. */
export interface SheetCell {
  readonly column: number;
  readonly value: string | number | undefined;
  readonly hasFormula: boolean;
  /** The index of its format, as written. */
  readonly style: string | undefined;
  /** Its index among the shared strings. */
  readonly sharedString: number | undefined;
  readonly start: number;
  readonly end: number;
}

export interface SheetRow {
  readonly number: number;
  /** Its start tag. */
  readonly tag: XmlTag;
  readonly cells: readonly SheetCell[];
}

export interface SheetData {
  readonly rows: readonly SheetRow[];
  /** The offsets of `sheetData`, including its tags, and its name. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Reads the cells of a worksheet (ECMA-376 part 1, 18.3.1.73); undefined when it has too many. */
export function readSheet(xml: string, strings: readonly string[]): SheetData | undefined {
  const rows: { number: number; tag: XmlTag; cells: SheetCell[] }[] = [];
  let [start, end, count] = [-1, -1, 0];
  let name = '';
  let open: XmlTag | undefined;
  const addCell = (tag: XmlTag, until: number) => {
    const row = rows.at(-1);
    if (row === undefined || ++count > chartLimits.sheetCells) return;
    row.cells.push(readCell(xml, tag, until, (row.cells.at(-1)?.column ?? 0) + 1, strings));
  };
  scanXmlTags(xml, (tag) => {
    if (tag.local === 'sheetData') {
      if (tag.kind !== 'close') {
        start = tag.start;
        name = /^<([^\s/>]+)/.exec(xml.slice(tag.start, tag.end))?.[1] ?? 'sheetData';
      }
      if (tag.kind !== 'open') end = tag.end;
    } else if (start === -1 || end !== -1) return;
    else if (tag.local === 'row' && tag.kind !== 'close') {
      const number = Number(attributeOf(xml, tag, 'r') ?? (rows.at(-1)?.number ?? 0) + 1);
      if (Number.isSafeInteger(number) && number > (rows.at(-1)?.number ?? 0)) rows.push({ number, tag, cells: [] });
    } else if (tag.local === 'c') {
      if (tag.kind === 'empty') addCell(tag, tag.end);
      else if (tag.kind === 'open') open = tag;
      else if (open !== undefined) addCell(open, tag.end);
    }
  });
  return start === -1 || end === -1 || count > chartLimits.sheetCells ? undefined : { rows, start, end, name };
}

function readCell(xml: string, tag: XmlTag, end: number, nextColumn: number, strings: readonly string[]): SheetCell {
  const attributes = new Map(readAttributes(xml, tag).map(({ name, value }) => [name, value]));
  const letters = /^[A-Z]{1,3}/.exec(attributes.get('r') ?? '')?.[0];
  const type = attributes.get('t') ?? 'n';
  const { value: written, hasFormula } = readValue(xml.slice(tag.start, end));
  const sharedString = type === 's' && written !== undefined ? Number(written) : undefined;
  return {
    column: letters === undefined ? nextColumn : columnNumber(letters),
    value: sharedString === undefined ? typedValue(type, written) : strings[sharedString],
    hasFormula,
    style: attributes.get('s'),
    sharedString,
    start: tag.start,
    end,
  };
}

function readValue(cell: string): { value: string | undefined; hasFormula: boolean } {
  let [start, hasFormula] = [-1, false];
  let value: string | undefined;
  scanXmlTags(cell, (tag) => {
    if (tag.local === 'f') hasFormula = true;
    if (tag.local !== 'v' && tag.local !== 'is') return;
    if (tag.kind === 'open') start = tag.end;
    else if (tag.kind === 'close') value = textContent(cell.slice(start, tag.start));
  });
  return { value, hasFormula };
}

function typedValue(type: string, written: string | undefined): string | number | undefined {
  if (written === undefined || type === 'e') return undefined;
  if (type === 'b') return written === '1' ? 'TRUE' : 'FALSE';
  const number = Number(written);
  return type === 'n' ? (Number.isFinite(number) ? number : undefined) : written;
}
