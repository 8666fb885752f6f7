import type { FeatureNode } from '../../core/nodes.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import { oncePerPart } from '../../core/render/render-state.ts';
import { writeXml } from '../../core/render/tag-value.ts';
import { type CellsByList, eachTable, readCells, type TableCell } from '../../core/table-cells.ts';

/**
 * Leaves to the renderer which cells begin a vertically merged cell (ECMA-376 part 1, 17.4.84), in tables whose rows sections
 * repeat or leave out. A merged cell belongs to the innermost section that is around all of its rows.
 */
export function extractMerges(pieces: readonly ParsedPiece[]): readonly ParsedPiece[] {
  return mentionsMerge(pieces) ? eachTable(pieces, arrangeMerges) : pieces;
}

const element = /<w:vMerge(?=[\s/>])[^>]*?(?:\/>|>\s*<\/w:vMerge>)/;

function mentionsMerge(pieces: readonly ParsedPiece[]): boolean {
  return pieces.some((piece) => isMerged(piece) || (piece.subparsed !== undefined && mentionsMerge(piece.subparsed)));
}

function isMerged(properties: ParsedPiece | undefined): boolean {
  return properties?.type === 'content' && properties.value.includes('<w:vMerge') && element.test(properties.value);
}

/** Cells of one grid column that the template merges vertically, in rows that sections repeat or leave out. */
interface MergeGroup {
  readonly column: number;
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
  const nodes = new Map<ParsedPiece, FeatureNode>();
  const resets = new Map<ParsedPiece | undefined, MergedCell[]>();
  for (const group of groups) {
    const cell: MergedCell = {};
    for (const { properties } of group.cells) nodes.set(properties, mergeNode(cell, false));
    const around = commonSection(group);
    const alike = resets.get(around);
    if (alike === undefined) resets.set(around, [cell]);
    else alike.push(cell);
  }
  return [...resetFor(resets.get(undefined)), ...rewrite(table, nodes, resets)];
}

/** Cells that continue the one above, from the cell that begins them; rows in the order of the template. */
function findGroups(cells: CellsByList): MergeGroup[] {
  const groups: MergeGroup[] = [];
  const open = new Map<number, MergeGroup>();
  const all = [...cells].flatMap(([list, ofList]) => ofList.map((cell) => ({ cell, properties: list[cell.from + 1] })));
  for (const { cell, properties } of all.sort((a, b) => a.cell.row - b.cell.row)) {
    if (properties === undefined || !isMerged(properties)) continue;
    const above = open.get(cell.start);
    const continues = !/w:val=["']restart/.test(element.exec(properties.value)?.[0] ?? '');
    const found: FoundCell = { ...cell, properties };
    if (continues && above !== undefined && above.cells.at(-1)?.row === cell.row - 1) above.cells.push(found);
    else {
      const group: MergeGroup = { column: cell.start, cells: [found] };
      groups.push(group);
      open.set(cell.start, group);
    }
  }
  return groups;
}

function isRepeated({ cells }: MergeGroup): boolean {
  return cells.some(({ sections }) => sections.length > 0) && cells.length > 1;
}

function commonSection({ cells }: MergeGroup): ParsedPiece | undefined {
  const [first, ...others] = cells;
  return first?.sections.findLast((section) => others.every(({ sections }) => sections.includes(section)));
}

function rewrite(
  pieces: readonly ParsedPiece[],
  nodes: ReadonlyMap<ParsedPiece, FeatureNode>,
  resets: ReadonlyMap<ParsedPiece | undefined, readonly MergedCell[]>,
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

function resetFor(cells: readonly MergedCell[] | undefined): ParsedPiece[] {
  return cells === undefined ? [] : [{ type: 'placeholder', value: '', node: resetNode(cells) }];
}

/** Identifies one merged cell of the template while documents are rendered. */
type MergedCell = object;

/** The copies of merged cells that have begun: one, or one for each copy of a column. */
const begunCells = oncePerPart(() => new Map<MergedCell, Set<number>>());

/**
 * `w:vMerge` of one cell: the first one that is written begins the merged cell, the others continue it. In a column that
 * repeats, each copy of the column has its own merged cell.
 */
function mergeNode(cell: MergedCell, isInColumn: boolean): FeatureNode {
  return {
    kind: 'feature',
    isTransparent: true,
    inRepeatedColumn: () => mergeNode(cell, true),
    render: (scope, state) => {
      const copy = isInColumn ? (scope.position?.index ?? 0) : 0;
      const cells = begunCells(state);
      const begun = cells.get(cell) ?? new Set<number>();
      cells.set(cell, begun);
      const xml = begun.has(copy) ? '<w:vMerge/>' : '<w:vMerge w:val="restart"/>';
      begun.add(copy);
      writeXml(xml, '', state);
    },
  };
}

/** From here on the cells begin again: the next item of the section that is around all their rows. */
function resetNode(cells: readonly MergedCell[]): FeatureNode {
  return {
    kind: 'feature',
    render: (_, state) => {
      const begun = begunCells(state);
      for (const cell of cells) begun.delete(cell);
    },
  };
}
