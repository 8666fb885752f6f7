import { PdfArray, PdfDict, PdfString } from '@libpdf/core';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import type { StructureElement } from './read-structure.ts';

const groups = ['THead', 'TBody', 'TFoot'];
const maxSpan = 1_000;
const maxCells = 2_000_000;

/** Checks a table or a part of one (ISO 32000-1, 14.8.4.3.4). Ignores other elements. */
export function checkTable(file: PdfFile, report: Findings['report'], element: StructureElement, place: string): void {
  const { role, children } = element;
  const parent = element.parent?.role ?? '';
  const has = (allowed: readonly string[]): boolean => children.every((child) => allowed.includes(child.role ?? ''));
  const isNested =
    role === 'Table'
      ? has(['TR', ...groups, 'Caption']) && hasGoodParts(children)
      : role === 'TR'
        ? ['Table', ...groups].includes(parent) && has(['TH', 'TD'])
        : role === 'TH' || role === 'TD'
          ? parent === 'TR'
          : groups.includes(role ?? '')
            ? parent === 'Table' && has(['TR'])
            : true;
  if (!isNested) report('table-structure', place);
  if (role !== 'Table') return;
  const rows = rowsOf(children);
  const cells = rows.map((row) => row.children.filter((child) => child.role === 'TH' || child.role === 'TD'));
  if (!isRegular(file, cells)) report('table-regular', place);
  checkScopes(file, report, cells, place);
}

function hasGoodParts(children: readonly StructureElement[]): boolean {
  const count = (role: string): number => children.filter((child) => child.role === role).length;
  const caption = children.findIndex((child) => child.role === 'Caption');
  const isCaptionOutside = caption <= 0 || caption === children.length - 1;
  const needsBody = count('THead') + count('TFoot') > 0;
  const isComplete = !needsBody || count('TBody') > 0;
  return count('THead') <= 1 && count('TFoot') <= 1 && count('Caption') <= 1 && isCaptionOutside && isComplete;
}

function rowsOf(children: readonly StructureElement[]): readonly StructureElement[] {
  return children.flatMap((child) => {
    if (child.role === 'TR') return [child];
    return groups.includes(child.role ?? '') ? child.children.filter(({ role }) => role === 'TR') : [];
  });
}

/** Whether the cells of all rows, including those that span rows above, fill the same number of columns. */
function isRegular(file: PdfFile, rows: readonly (readonly StructureElement[])[]): boolean {
  /** For each column, the number of rows that the cell above still covers. */
  let covered: number[] = [];
  let columns: number | undefined;
  let cellsLeft = maxCells;
  for (const row of rows) {
    const next: number[] = covered.map((count) => Math.max(0, count - 1));
    let column = 0;
    for (const cell of row) {
      while ((covered[column] ?? 0) > 0) column++;
      const [width, height] = [span(file, cell, 'ColSpan'), span(file, cell, 'RowSpan')];
      cellsLeft -= width;
      if (cellsLeft < 0) return false;
      for (let end = column + width; column < end; column++) {
        if ((covered[column] ?? 0) > 0) return false;
        next[column] = height - 1;
      }
    }
    while ((covered[column] ?? 0) > 0) column++;
    columns ??= column;
    if (column !== columns || next.length > columns) return false;
    covered = next;
  }
  return covered.every((count) => count === 0);
}

function span(file: PdfFile, cell: StructureElement, key: 'ColSpan' | 'RowSpan'): number {
  const values = tableAttributes(file, cell).map((attributes) => file.number(attributes, key));
  return Math.min(maxSpan, Math.max(1, Math.trunc(values.find((value) => value !== undefined) ?? 1)));
}

/** Cells name their heading cells (Headers), or each heading cell has a Scope. */
function checkScopes(
  file: PdfFile,
  report: Findings['report'],
  rows: readonly (readonly StructureElement[])[],
  place: string,
): void {
  const has = (cell: StructureElement, key: string): boolean =>
    tableAttributes(file, cell).some((attributes) => attributes.has(key));
  const cells = rows.flat();
  const unscoped = cells.filter((cell) => cell.role === 'TH' && !hasScope(file, cell));
  if (unscoped.length === 0) return;
  if (!cells.some((cell) => has(cell, 'Headers'))) {
    for (const _cell of unscoped) report('table-scope', place);
    return;
  }
  const ids = new Set(cells.map((cell) => file.text(cell.dict, 'ID')));
  const named = cells.flatMap((cell) =>
    tableAttributes(file, cell).flatMap((attributes) => file.array(attributes, 'Headers') ?? []),
  );
  if (named.some((id) => id instanceof PdfString && !ids.has(id.asString()))) report('table-scope', place);
}

function hasScope(file: PdfFile, cell: StructureElement): boolean {
  const scopes = tableAttributes(file, cell).map((attributes) => file.name(attributes, 'Scope') ?? '');
  return scopes.some((scope) => ['Row', 'Column', 'Both'].includes(scope));
}

function tableAttributes(file: PdfFile, element: StructureElement): readonly PdfDict[] {
  const value = file.get(element.dict, 'A');
  const items = value instanceof PdfArray ? (file.array(element.dict, 'A') ?? []) : [value];
  return items.flatMap((item) => (item instanceof PdfDict && file.name(item, 'O') === 'Table' ? [item] : []));
}
