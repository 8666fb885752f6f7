import { UnknownFeature } from '../unknown-feature.ts';
import type { GridCell, GridRow } from './grid-rows.ts';
import type { Side } from './table-areas.ts';
import type { Margins, TableFormat } from './table-format.ts';
import type { Border } from './tree.ts';

export interface Position {
  readonly rows: readonly GridRow[];
  readonly index: number;
}

/** The border of a cell: its own, or the table's on this side or between cells. */
export function borderOf(cell: GridCell, side: Side, { rows, index }: Position): Border | undefined {
  const own = cell.format.borders[side];
  if (own !== undefined) return own ?? undefined;
  const row = rows[index];
  const ofRow = row?.borders ?? {};
  const isEdge =
    (side === 'top' && index === 0) ||
    (side === 'bottom' && index === rows.length - 1) ||
    (side === 'left' && cell.column === row?.start) ||
    (side === 'right' && cell.column + cell.properties.span === row?.end);
  const inside: Side = side === 'top' || side === 'bottom' ? 'insideH' : 'insideV';
  if (isEdge) return ofRow[side] ?? undefined;
  const ofCell = cell.format.borders[inside];
  return (ofCell === undefined ? ofRow[inside] : ofCell) ?? undefined;
}

type Corner = Readonly<Record<'left' | 'right', Border | undefined>>;

/**
 * The borders of the first cell or, failing that, those of the table. Up to Word 2010 the text of cells begins at the
 * table's indent; since Word 2013, and in a nested table, the outer edge of the left border does (LibreOffice,
 * `DomainMapperTableHandler::getTableStyle`). Throws UnknownFeature for borders that the table style gives to the first
 * cell.
 */
export function cornerBorders(rows: readonly GridRow[], { margins }: TableFormat, beginsAtBorder: boolean): Corner {
  const first = rows[0]?.cells[0];
  const sideOf = (side: keyof Corner): Border | undefined => {
    const own = first?.properties.format.borders[side];
    const found = (own === undefined ? rows[0]?.borders[side] : own) ?? undefined;
    const ofStyle = first?.area.borders[side];
    const isOfStyle = own === undefined && ofStyle !== undefined && ofStyle?.width !== found?.width;
    const fits = Math.max(halfOf(ofStyle ?? undefined), halfOf(found)) <= margins[side];
    if (isOfStyle && !(fits && (side === 'right' || !beginsAtBorder)))
      throw new UnknownFeature('a first cell with another border than its table');
    return found;
  };
  return { left: sideOf('left'), right: sideOf('right') };
}

/**
 * The margins of all cells, grown so that half of each of these borders fits in them. Throws UnknownFeature if only the
 * left border needs that.
 */
export function marginsWithin(corner: Corner, margins: Margins): Margins {
  const [left, right] = [halfOf(corner.left), halfOf(corner.right)];
  if (left > margins.left && right <= margins.right)
    throw new UnknownFeature('a border wider than the margin of its cell');
  return { ...margins, left: Math.max(margins.left, left), right: Math.max(margins.right, right) };
}

export function halfOf(border: Border | undefined): number {
  return Math.floor((border?.width ?? 0) / 2);
}
