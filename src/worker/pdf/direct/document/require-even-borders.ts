import { UnknownFeature } from '../unknown-feature.ts';
import type { Cell, Row } from './tree.ts';

/** Throws UnknownFeature where borders of several widths or colours meet: how Writer joins them is not known. */
export function requireEvenBorders(rows: readonly Row[]): void {
  for (const [index, { cells }] of [...rows, { cells: [] }].entries()) {
    const above = rows[index - 1]?.cells ?? [];
    const across = cells.length > 0 ? cells.map((cell) => widthAbove(cell, above)) : above.map(widthBelow);
    requireOne('width', across);
    const [sides, others] = [sideWidths(cells), sideWidths(above)];
    for (const [edge, width] of sides) {
      const other = others.get(edge) ?? width;
      // A border between two rows covers the end of a thinner one beside their inner cells.
      const isInner = edge > 0 && edge < Math.max(...sides.keys());
      const isCovered = isInner && (width === 0 || other === 0) && Math.max(width, other) <= (across[0] ?? 0);
      if (!isCovered) requireOne('width', [width, other]);
    }
    const meeting = [
      ...above.flatMap(({ borders: { left, right, bottom } }) => [left, right, bottom]),
      ...cells.flatMap(({ borders: { left, right, top } }) => [left, right, top]),
    ];
    requireOne(
      'colour',
      meeting.flatMap((border) => border?.color ?? []),
    );
  }
}

function requireOne(what: 'width' | 'colour', values: readonly (number | string)[]): void {
  if (new Set(values).size > 1) throw new UnknownFeature(`borders that meet with another ${what}`);
}

/** The width of the borders between a cell and the cells above it. */
function widthAbove({ borders, left, width }: Cell, above: readonly Cell[]): number {
  const touching = above.filter((cell) => cell.left < left + width && cell.left + cell.width > left);
  return Math.max(borders.top?.width ?? 0, ...touching.map(widthBelow));
}

function widthBelow({ borders }: Cell): number {
  return borders.bottom?.width ?? 0;
}

/** The widths of the borders at the edges of the cells of a row. */
function sideWidths(cells: readonly Cell[]): ReadonlyMap<number, number> {
  return new Map(
    cells.flatMap(({ left, width, borders }) => [
      [left, borders.left?.width ?? 0],
      [left + width, borders.right?.width ?? 0],
    ]),
  );
}
