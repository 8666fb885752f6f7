import { TextEdits } from '@docmill/word/text-edits';
import { readAttributes, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import { writePackage } from '../../../package/write-package.ts';
import { cellName } from './area.ts';
import { fillTable, readTable } from './fill-table.ts';
import type { CellValue, FilledRow, FilledSheet } from './filled-sheet.ts';
import type { SheetCell, SheetRow } from './read-sheet.ts';
import type { Sheet, Workbook } from './workbook.ts';

/** The workbook with its filled sheets, tables and ranges. Texts are inline strings, so no value becomes a formula. */
export function writeWorkbook(workbook: Workbook, sheets: ReadonlyMap<string, FilledSheet>): Buffer {
  const changes = new Map<string, Buffer>();
  const replaced = new Set<number>();
  for (const [name, filled] of sheets) {
    const sheet = workbook.sheet(name);
    if (sheet === undefined) continue;
    const tables = workbook.related(sheet.part, 'table').flatMap((part) => readTable(workbook, part) ?? []);
    const headers = new Map<FilledRow, ReadonlyMap<number, string>>();
    for (const table of tables) {
      const { xml, row, names } = fillTable(table, filled);
      changes.set(table.part, Buffer.from(xml));
      if (row !== undefined) headers.set(row, new Map([...(headers.get(row) ?? []), ...names]));
    }
    changes.set(sheet.part, Buffer.from(writeSheet(sheet, filled, headers)));
    for (const index of replacedStrings(sheet, filled)) replaced.add(index);
  }
  const strings = workbook.sharedStringsPart;
  if (strings !== undefined && replaced.size > 0)
    changes.set(strings, Buffer.from(withoutStrings(workbook.text(strings) ?? '', replaced)));
  return writePackage(workbook.source, changes);
}

function writeSheet(
  sheet: Sheet,
  filled: FilledSheet,
  headers: ReadonlyMap<FilledRow, ReadonlyMap<number, string>>,
): string {
  const { xml, start, end, name } = sheet;
  const prefix = name.slice(0, -'sheetData'.length);
  const ofTemplate = new Map(sheet.rows.map((row) => [row.number, row] as const));
  const rows = filled.rows.map((row) => {
    const template = ofTemplate.get(row.template.number);
    return template === undefined ? '' : writeRow(xml, row, template, headers.get(row), prefix);
  });
  // The optional extent of the cells in use (18.3.1.35) no longer matches.
  const head = xml.slice(0, start).replace(/<(?:[\w.-]+:)?dimension\b[^>]*\/>/, '');
  return `${head}<${name}>${rows.join('')}</${name}>${xml.slice(end)}`;
}

function writeRow(
  xml: string,
  row: FilledRow,
  template: SheetRow,
  headers: ReadonlyMap<number, string> | undefined,
  prefix: string,
): string {
  const attributes = rowAttributes(xml, template.tag);
  const cells = template.cells.map((cell) => {
    const header = headers?.get(cell.column);
    const isFixed = header === undefined && !row.filled.has(cell.column) && row.template.fixed.has(cell.column);
    if (isFixed) return copyCell(xml, cell, row.number);
    return writeCell(cell, row.number, header ?? row.cells.get(cell.column), prefix);
  });
  return `<${prefix}row r="${row.number}"${attributes}>${cells.join('')}</${prefix}row>`;
}

function rowAttributes(xml: string, tag: XmlTag): string {
  return readAttributes(xml, tag)
    .filter(({ name }) => name !== 'r' && name !== 'spans')
    .map(({ start, end }) => ` ${xml.slice(start, end)}`)
    .join('');
}

function copyCell(xml: string, { start, end, column }: SheetCell, row: number): string {
  const cell = xml.slice(start, end);
  return cell.replace(/^(<[^\s/>]+)((?:\s[^>]*?)?)\sr\s*=\s*(?:"[^"]*"|'[^']*')/, `$1$2 r="${cellName(column, row)}"`);
}

function writeCell({ column, style }: SheetCell, row: number, value: CellValue, prefix: string): string {
  const format = style === undefined ? '' : ` s="${Number(style)}"`;
  const start = `<${prefix}c r="${cellName(column, row)}"${format}`;
  if (value === undefined) return `${start}/>`;
  if (typeof value === 'number') return `${start}><${prefix}v>${value}</${prefix}v></${prefix}c>`;
  const text = `<${prefix}is><${prefix}t xml:space="preserve">${value}</${prefix}t></${prefix}is>`;
  return `${start} t="inlineStr">${text}</${prefix}c>`;
}

/** The shared strings of the cells that had tags. */
function replacedStrings(sheet: Sheet, filled: FilledSheet): number[] {
  const kept = new Set(
    filled.rows.flatMap(({ template }) => [...template.fixed.keys()].map((column) => `${column} ${template.number}`)),
  );
  return sheet.rows.flatMap(({ number, cells }) =>
    cells.flatMap(({ column, sharedString, value }) =>
      sharedString !== undefined && /[{}]/.test(String(value)) && !kept.has(`${column} ${number}`)
        ? [sharedString]
        : [],
    ),
  );
}

function withoutStrings(xml: string, replaced: ReadonlySet<number>): string {
  const edits = new TextEdits();
  let index = 0;
  let start = -1;
  scanXmlTags(xml, ({ local, kind, start: tagStart, end }) => {
    if (local !== 'si') return;
    if (kind === 'open') start = end;
    else if (kind === 'close' && replaced.has(index)) edits.replace(start, tagStart);
    if (kind !== 'open') index++;
  });
  return edits.apply(xml);
}
