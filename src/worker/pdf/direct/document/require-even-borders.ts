import { UnknownFeature } from '../unknown-feature.ts';
import type { Border, Cell, Row } from './tree.ts';

/** Throws UnknownFeature where borders of several widths or colours meet: how Writer joins them is not known. */
export function requireEvenBorders(rows: readonly Row[]): void {
  for (const [index, { cells }] of [...rows, { cells: [] }].entries()) {
    const above = rows[index - 1]?.cells ?? [];
    const across =
      cells.length > 0 ? cells.map((cell) => borderAbove(cell, above)) : above.map(({ borders }) => borders.bottom);
    requireOne('width', across.map(widthOf));
    const height = widthOf(across[0]);
    const [sides, others] = [sideWidths(cells), sideWidths(above)];
    for (const [edge, width] of sides) {
      const other = others.get(edge) ?? width;
      // A border between two rows covers the end of a thinner one beside their inner cells.
      const isInner = edge > 0 && edge < Math.max(...sides.keys());
      const isCovered = isInner && (width === 0 || other === 0) && Math.max(width, other) <= height;
      if (!isCovered) requireOne('width', [width, other]);
    }
    const beside = [...above, ...cells].flatMap(({ borders }) => [borders.left, borders.right]);
    requireOne(
      'colour',
      [...across, ...beside].flatMap((border) => border?.color ?? []),
    );
  }
}

function requireOne(what: 'width' | 'colour', values: readonly (number | string)[]): void {
  if (new Set(values).size > 1) throw new UnknownFeature(`borders that meet with another ${what}`);
}

/** The widest border between a cell and the cells above it, which is drawn over the others. */
function borderAbove({ borders, start, end }: Cell, above: readonly Cell[]): Border | undefined {
  const touching = above.filter((cell) => cell.start < end && cell.end > start);
  return touching
    .map((cell) => cell.borders.bottom)
    .reduce((widest, border) => (widthOf(border) > widthOf(widest) ? border : widest), borders.top);
}

function widthOf(border: Border | undefined): number {
  return border?.width ?? 0;
}

/** The widths of the borders at the edges of the cells of a row. */
function sideWidths(cells: readonly Cell[]): ReadonlyMap<number, number> {
  return new Map(
    cells.flatMap(({ start, end, borders }) => [
      [start, widthOf(borders.left)],
      [end, widthOf(borders.right)],
    ]),
  );
}
