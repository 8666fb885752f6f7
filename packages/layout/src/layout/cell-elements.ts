import type { Cell, Table } from '../document/tree.ts';
import type { StructureElement } from './structure.ts';

type SpannedCell = Pick<Cell, 'start' | 'end' | 'rowSpan'>;

/**
 * The structure elements of the cells in a row with this number (ISO 32000-1, 14.8.4.3.4). Cells of repeated rows are
 * headings.
 */
export function cellElements(
  { rows }: Table,
  parent: StructureElement | undefined,
): (row: number) => (cell: SpannedCell) => StructureElement | undefined {
  if (parent === undefined) return () => () => undefined;
  const table: StructureElement = { role: 'Table', parent };
  const headings = rows.findIndex(({ isHeading }) => !isHeading);
  const edges = [...new Set(rows.flatMap(({ cells }) => cells.map(({ start }) => start)))];
  return (index) => {
    const row: StructureElement = { role: 'TR', parent: table };
    const role = index < headings ? 'TH' : 'TD';
    const isPlain = rows[index]?.cells.length === edges.length;
    return ({ start, end, rowSpan }) => {
      const columns = isPlain ? 1 : edges.filter((edge) => edge >= start && edge < end).length;
      return { role, parent: row, columns, rows: rowSpan };
    };
  };
}
