import { escapeText } from '@docmill/word/escape-xml';
import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, decodeEntities, readAttributes, scanXmlTags } from '@docmill/word/xml-tokens';
import { type Area, parseArea, writeArea } from './area.ts';
import type { FilledRow, FilledSheet } from './filled-sheet.ts';
import type { Workbook } from './workbook.ts';

/** A table of a worksheet (ECMA-376 part 1, 18.5.1.2). */
export interface SheetTable {
  readonly part: string;
  readonly xml: string;
  readonly area: Area;
  readonly hasHeader: boolean;
}

export interface FilledTable {
  readonly xml: string;
  /** The row with the names of its columns. */
  readonly row: FilledRow | undefined;
  /** The names by sheet column, escaped as XML. */
  readonly names: ReadonlyMap<number, string>;
}

/** Reads a table; undefined when it has no area. */
export function readTable(workbook: Workbook, part: string): SheetTable | undefined {
  const xml = workbook.text(part) ?? '';
  let found: SheetTable | undefined;
  scanXmlTags(xml, (tag) => {
    if (tag.local !== 'table' || tag.kind !== 'open' || found !== undefined) return;
    const area = parseArea(attributeOf(xml, tag, 'ref') ?? '');
    const hasHeader = attributeOf(xml, tag, 'headerRowCount') !== '0';
    if (area !== undefined) found = { part, xml, area, hasHeader };
  });
  return found;
}

const longestName = 255;

/**
 * Extends the table over the filled rows. As in Excel, its columns are named after the cells of its first row, and an
 * empty or duplicate name gets a number.
 */
export function fillTable({ xml, area, hasHeader }: SheetTable, filled: FilledSheet): FilledTable {
  const moved = filled.moved(area);
  const header = hasHeader ? filled.rows.find(({ number }) => number === moved.top) : undefined;
  const row = header !== undefined && header.filled.size > 0 ? header : undefined;
  const names = row === undefined ? new Map<number, string>() : columnNames(row, area);
  const ref = writeArea({ ...moved, bottom: Math.max(moved.bottom, moved.top + (hasHeader ? 1 : 0)) });
  const edits = new TextEdits();
  let column = area.left;
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') return;
    const set = (name: string, value: string) => {
      const attribute = readAttributes(xml, tag).find((other) => other.name === name);
      if (attribute !== undefined) edits.replace(attribute.start, attribute.end, `${name}="${value}"`);
    };
    if (tag.local === 'table' || tag.local === 'autoFilter') set('ref', ref);
    else if (tag.local === 'tableColumn') {
      const name = names.get(column++);
      if (name !== undefined) set('name', name.replaceAll('"', '&quot;'));
    }
  });
  return { xml: edits.apply(xml), row, names };
}

function columnNames({ cells }: FilledRow, { left, right }: Area): Map<number, string> {
  const names = new Map<number, string>();
  const used = new Set<string>();
  for (let column = left; column <= right; column++) {
    const wanted = [...decodeEntities(String(cells.get(column) ?? ''))].slice(0, longestName).join('');
    const base = wanted === '' ? 'Column' : wanted;
    let name = wanted === '' ? `Column${column - left + 1}` : wanted;
    for (let i = 2; used.has(name.toLowerCase()); i++) name = `${base}${i}`;
    used.add(name.toLowerCase());
    names.set(column, escapeText(name));
  }
  return names;
}
