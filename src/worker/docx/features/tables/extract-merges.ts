import { eachTable } from '../../core/compile/each-table.ts';
import type { ParsedPiece } from '../../core/compile/parse-parts.ts';
import { type CellsByList, readCells, type TableCell } from '../../core/compile/read-table.ts';
import type { MergeGroup, MergeNode } from './merge.ts';

/**
 * Leaves to the renderer which cells begin a vertically merged cell (ECMA-376 part 1, 17.4.84), in tables whose rows sections
 * repeat or leave out. A merged cell belongs to the innermost section that is around all of its rows.
 */
export function liftMerges(pieces: readonly ParsedPiece[]): readonly ParsedPiece[] {
  return mentionsMerge(pieces) ? eachTable(pieces, arrangeMerges) : pieces;
}

const element = /<w:vMerge(?=[\s/>])[^>]*?(?:\/>|>\s*<\/w:vMerge>)/;

function mentionsMerge(pieces: readonly ParsedPiece[]): boolean {
  return pieces.some((piece) => isMerged(piece) || (piece.subparsed !== undefined && mentionsMerge(piece.subparsed)));
}

function isMerged(properties: ParsedPiece | undefined): boolean {
  return properties?.type === 'content' && properties.value.includes('<w:vMerge') && element.test(properties.value);
}

interface FoundGroup extends MergeGroup {
  readonly cells: FoundCell[];
}

interface FoundCell extends TableCell {
  readonly properties: ParsedPiece;
}

function arrangeMerges(table: readonly ParsedPiece[]): readonly ParsedPiece[] {
  const cells = mentionsMerge(table) ? readCells(table) : undefined;
  if (cells === undefined) return table;
  const groups = findGroups(cells).filter(isRepeated);
  if (groups.length === 0) return table;
  const nodes = new Map<ParsedPiece, MergeNode>();
  const resets = new Map<ParsedPiece | undefined, MergeGroup[]>();
  for (const group of groups) {
    for (const { properties } of group.cells) nodes.set(properties, { kind: 'merge', group });
    const around = commonSection(group);
    const alike = resets.get(around);
    if (alike === undefined) resets.set(around, [group]);
    else alike.push(group);
  }
  return [...resetFor(resets.get(undefined)), ...rewrite(table, nodes, resets)];
}

/** Cells that go on with the one above, from the cell that begins them; rows in the order of the template. */
function findGroups(cells: CellsByList): FoundGroup[] {
  const groups: FoundGroup[] = [];
  const open = new Map<number, FoundGroup>();
  const all = [...cells].flatMap(([list, ofList]) => ofList.map((cell) => ({ cell, properties: list[cell.from + 1] })));
  for (const { cell, properties } of all.sort((a, b) => a.cell.row - b.cell.row)) {
    if (properties === undefined || !isMerged(properties)) continue;
    const above = open.get(cell.start);
    const goesOn = !/w:val=["']restart/.test(element.exec(properties.value)?.[0] ?? '');
    const found: FoundCell = { ...cell, properties };
    if (goesOn && above !== undefined && above.cells.at(-1)?.row === cell.row - 1) above.cells.push(found);
    else {
      const group: FoundGroup = { column: cell.start, cells: [found] };
      groups.push(group);
      open.set(cell.start, group);
    }
  }
  return groups;
}

function isRepeated({ cells }: FoundGroup): boolean {
  return cells.some(({ sections }) => sections.length > 0) && cells.length > 1;
}

function commonSection({ cells }: FoundGroup): ParsedPiece | undefined {
  const [first, ...others] = cells;
  return first?.sections.findLast((section) => others.every(({ sections }) => sections.includes(section)));
}

function rewrite(
  pieces: readonly ParsedPiece[],
  nodes: ReadonlyMap<ParsedPiece, MergeNode>,
  resets: ReadonlyMap<ParsedPiece | undefined, readonly MergeGroup[]>,
): ParsedPiece[] {
  return pieces.flatMap((piece) => {
    const { subparsed } = piece;
    if (subparsed !== undefined) {
      return [{ ...piece, subparsed: [...resetFor(resets.get(piece)), ...rewrite(subparsed, nodes, resets)] }];
    }
    const node = nodes.get(piece);
    if (node === undefined) return [piece];
    const [before = '', after = ''] = piece.value.split(element, 2);
    return [
      { ...piece, value: before },
      { type: 'placeholder', value: '', node },
      { ...piece, value: after },
    ];
  });
}

function resetFor(groups: readonly MergeGroup[] | undefined): ParsedPiece[] {
  return groups === undefined ? [] : [{ type: 'placeholder', value: '', node: { kind: 'merge-reset', groups } }];
}
