import type { FeatureNode } from '../../core/nodes.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import { oncePerPart } from '../../core/render/render-state.ts';
import { writeXml } from '../../core/render/tag-value.ts';
import { type CellsByList, eachTable, readCells, type TableCell } from '../../core/table-cells.ts';

/**
 * In tables whose rows are repeated or omitted, lets the renderer decide which cell begins a vertically merged cell (ECMA-376
 * part 1, 17.4.84). A merged cell belongs to the innermost section around all of its rows.
 */
export function extractMerges(pieces: readonly ParsedPiece[]): readonly ParsedPiece[] {
  return mentionsMerge(pieces) ? eachTable(pieces, arrangeMerges) : pieces;
}

const mergeNodes = new WeakSet<object>();

/** Whether the piece writes the merge of a cell, which shows nothing. */
export function isMergePiece({ node }: ParsedPiece): boolean {
  return node !== undefined && mergeNodes.has(node);
}

const element = /<w:vMerge(?=[\s/>])[^>]*?(?:\/>|>\s*<\/w:vMerge>)/;

function mentionsMerge(pieces: readonly ParsedPiece[]): boolean {
  return pieces.some((piece) => isMerged(piece) || (piece.subparsed !== undefined && mentionsMerge(piece.subparsed)));
}

function isMerged(properties: ParsedPiece | undefined): boolean {
  return properties?.type === 'content' && properties.value.includes('<w:vMerge') && element.test(properties.value);
}

/** Cells of one grid column that the template merges vertically. */
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

/** Groups each cell that begins a merge with the cells that continue it, in row order. */
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

/** Identity of one merged cell of the template during a render. */
type MergedCell = object;

/** Copies of merged cells that have begun: one, or one per copy of a repeated column. */
const begunCells = oncePerPart(() => new Map<MergedCell, Set<number>>());

/**
 * Writes `w:vMerge` of one cell: the first cell written begins the merged cell, the others continue it. In a repeated
 * column, each copy has its own merged cell.
 */
function mergeNode(cell: MergedCell, isInColumn: boolean): FeatureNode {
  return known({
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
  });
}

/** Makes the cells begin again for the next item of the section around all their rows. */
function resetNode(cells: readonly MergedCell[]): FeatureNode {
  return known({
    kind: 'feature',
    render: (_, state) => {
      const begun = begunCells(state);
      for (const cell of cells) begun.delete(cell);
    },
  });
}

function known(node: FeatureNode): FeatureNode {
  mergeNodes.add(node);
  return node;
}
