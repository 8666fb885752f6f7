import { UnknownFeature } from '../unknown-feature.ts';
import { borderOf } from './cell-borders.ts';
import type { GridRow } from './grid-rows.ts';
import type { Side } from './table-areas.ts';
import type { TableFormat } from './table-format.ts';
import type { Block, Row } from './tree.ts';

const outerSides: readonly Side[] = ['top', 'bottom', 'left', 'right'];

/**
 * Checks a table with rows that skip columns. Throws UnknownFeature for differing borders, style formats, merged cells,
 * and a non-empty paragraph before its columns, because LibreOffice's layout of these has not been measured.
 */
export function requireEvenTable(rows: readonly GridRow[], made: readonly Row[], format: TableFormat): void {
  if (!rows.some(({ hasGaps }) => hasGaps)) return;
  const { shading, paragraph, run } = format.whole;
  const hasStyle = shading !== undefined || Object.keys({ ...paragraph, ...run }).length > 0;
  const borders = new Set<string>();
  for (const [index, { cells, start, end }] of rows.entries()) {
    for (const cell of cells) {
      if (cell.area !== format.whole || cell.rowSpan !== 1) throw unknownTable();
      if (cell.column < start || cell.column >= end) continue;
      for (const side of outerSides) {
        const border = borderOf(cell, side, { rows, index });
        borders.add(`${border?.lines.join()} ${border?.color}`);
      }
    }
  }
  const copied = made.flatMap(({ cells }, index) => cells.slice(0, rows[index]?.start).flatMap(({ blocks }) => blocks));
  if (hasStyle || borders.size > 1 || !copied.every(isPlain)) throw unknownTable();
}

const unknownTable = (): UnknownFeature => new UnknownFeature('rows without columns in a table of several formats');

function isPlain(block: Block): boolean {
  if (block.kind === 'table') return false;
  const { numbering, keepsWithNext, breaksPageBefore, shading, ...format } = block.format;
  const borders = [format.borderTop, format.borderBottom, shading];
  return numbering.id === '0' && !keepsWithNext && !breaksPageBefore && borders.every((one) => one === undefined);
}
