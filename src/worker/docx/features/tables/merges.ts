import type { ScannedText } from '../../core/feature.ts';
import type { FeatureNode } from '../../core/nodes.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import { oncePerPart } from '../../core/render/render-state.ts';
import { writeXml } from '../../core/render/tag-value.ts';
import { type CellsByList, eachTable, readCells, type TableCell } from '../../core/table-cells.ts';
import type { Expression } from '../../language/scope.ts';
import { isBlank } from './blank-row.ts';
import { knownMerge } from './merge-nodes.ts';

/**
 * In tables whose rows are repeated or omitted, lets the renderer decide which cell begins a vertically merged cell
 * (ECMA-376 part 1, 17.4.84). A merged cell belongs to the innermost section around all of its rows. A merged cell of a
 * single row continues as long as its tags read the same place in the data, so that the cells of a group are merged
 * over all its rows.
 */
export function extractMerges(pieces: readonly ParsedPiece[], text: ScannedText): readonly ParsedPiece[] {
  return mentionsMerge(pieces) ? eachTable(pieces, (table) => arrangeMerges(table, text)) : pieces;
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
  readonly content: readonly ParsedPiece[];
}

function arrangeMerges(table: readonly ParsedPiece[], text: ScannedText): readonly ParsedPiece[] {
  const cells = mentionsMerge(table) ? readCells(table) : undefined;
  if (cells === undefined) return table;
  const nodes = new Map<ParsedPiece, FeatureNode>();
  const ends: Ends = new Map();
  for (const group of findGroups(cells)) {
    const isOneRow = hasOneRow(group, cells, text);
    const tags = isOneRow ? tagsOf(group, text) : [];
    if (!isRepeated(group) && (tags.length === 0 || group.cells[0]?.sections.length === 0)) continue;
    const cell: MergedCell = { tags };
    for (const { properties } of group.cells) nodes.set(properties, mergeNode(cell, false));
    noteEnds(ends, cell, group, cells, tags.length > 0);
  }
  return nodes.size === 0 ? table : [...endsAt(undefined, ends), ...rewrite(table, nodes, ends)];
}

/** Whether all rows but the first only hold tags of sections, and are dropped. */
function hasOneRow({ cells: [, ...others] }: MergeGroup, cells: CellsByList, { stretches }: ScannedText): boolean {
  const rows = new Set(others.map(({ row }) => row));
  return [...cells].every(([list, ofList]) =>
    ofList.every(({ row, from, to }) => {
      const cell = list.slice(from, to + 1).map((piece) => (isMerged(piece) ? withoutMerge(piece) : piece));
      return !rows.has(row) || isBlank(cell, stretches);
    }),
  );
}

const withoutMerge = (piece: ParsedPiece): ParsedPiece => ({ ...piece, value: piece.value.replace(element, '') });

/** The tags of the first cell, if it has nothing but text and values. */
function tagsOf({ cells: [first] }: MergeGroup, { parser }: ScannedText): readonly Expression[] {
  const tags = (first?.content ?? []).filter(({ type }) => type === 'placeholder');
  const isPlain = tags.every(({ subparsed, module, node, value }) => {
    return subparsed === undefined && module === undefined && node === undefined && !/^\s*[~%@|]/.test(value);
  });
  return isPlain ? tags.map(({ value }) => parser(value.trim())) : [];
}

/** The cells that end at the start of an item of each section, or at the start of the table. */
type Ends = Map<ParsedPiece | undefined, { readonly cell: MergedCell; readonly mayGoOn: boolean }[]>;

/** A cell may continue in the next item as long as only its own rows are in between. */
function noteEnds(ends: Ends, cell: MergedCell, group: MergeGroup, cells: CellsByList, mayGoOn: boolean): void {
  const add = (section: ParsedPiece | undefined, isSoft: boolean) => {
    const known = ends.get(section) ?? [];
    ends.set(section, [...known, { cell, mayGoOn: isSoft }]);
  };
  const own = new Set(group.cells.map(({ row }) => row));
  const all = [...cells.values()].flat();
  const chain = group.cells[0]?.sections ?? [];
  const around = mayGoOn ? chain.at(-1) : commonSection(group);
  for (let i = around === undefined ? -1 : chain.indexOf(around); i >= 0; i--) {
    const section = chain[i];
    if (section === undefined) break;
    const isAdjacent = mayGoOn && all.every(({ sections, row }) => !sections.includes(section) || own.has(row));
    add(section, isAdjacent);
    if (!isAdjacent) return;
  }
  add(undefined, false);
}

/** Groups each cell that begins a merge with the cells that continue it, in row order. */
function findGroups(cells: CellsByList): MergeGroup[] {
  const groups: MergeGroup[] = [];
  const open = new Map<number, MergeGroup>();
  const all = [...cells].flatMap(([list, ofList]) => ofList.map((cell) => ({ cell, list })));
  for (const { cell, list } of all.sort((a, b) => a.cell.row - b.cell.row)) {
    const properties = list[cell.from + 1];
    if (properties === undefined || !isMerged(properties)) continue;
    const above = open.get(cell.start);
    const continues = !/w:val=["']restart/.test(element.exec(properties.value)?.[0] ?? '');
    const found: FoundCell = { ...cell, properties, content: list.slice(cell.from, cell.to) };
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
  ends: Ends,
): ParsedPiece[] {
  return pieces.flatMap((piece) => {
    const { subparsed } = piece;
    if (subparsed !== undefined) {
      return [{ ...piece, subparsed: [...endsAt(piece, ends), ...rewrite(subparsed, nodes, ends)] }];
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

function endsAt(section: ParsedPiece | undefined, ends: Ends): ParsedPiece[] {
  const ended = ends.get(section);
  return ended === undefined ? [] : [{ type: 'placeholder', value: '', node: endNode(ended) }];
}

/** One merged cell of the template. */
interface MergedCell {
  /** The tags whose data paths determine whether the cell continues in the next item. */
  readonly tags: readonly Expression[];
}

interface BegunCell {
  /** The copies that have begun: one, or one per copy of a repeated column. */
  readonly copies: Set<number>;
  places: string;
  hasEnded: boolean;
}

const begunCells = oncePerPart(() => new Map<MergedCell, BegunCell>());

/**
 * Writes `w:vMerge` of one cell: the first cell written begins the merged cell, the others continue it. In a repeated
 * column, each copy has its own merged cell.
 */
function mergeNode(cell: MergedCell, isInColumn: boolean): FeatureNode {
  return knownMerge({
    kind: 'feature',
    isTransparent: true,
    inRepeatedColumn: () => mergeNode(cell, true),
    render: (scope, state) => {
      const copy = isInColumn ? (scope.position?.index ?? 0) : 0;
      const cells = begunCells(state);
      const begun = cells.get(cell) ?? { copies: new Set(), places: '', hasEnded: true };
      cells.set(cell, begun);
      if (begun.hasEnded) {
        const places = cell.tags.map((tag) => tag.locate(scope)).join('\n');
        if (isInColumn || places !== begun.places) begun.copies.clear();
        begun.places = places;
        begun.hasEnded = false;
      }
      const xml = begun.copies.has(copy) ? '<w:vMerge/>' : '<w:vMerge w:val="restart"/>';
      begun.copies.add(copy);
      writeXml(xml, '', state);
    },
  });
}

/**
 * Ends the cells before the next item. Those that may continue begin again only if their tags read other data paths.
 */
function endNode(ended: readonly { readonly cell: MergedCell; readonly mayGoOn: boolean }[]): FeatureNode {
  return knownMerge({
    kind: 'feature',
    render: (_, state) => {
      const cells = begunCells(state);
      for (const { cell, mayGoOn } of ended) {
        const begun = cells.get(cell);
        if (!mayGoOn || cell.tags.length === 0) cells.delete(cell);
        else if (begun !== undefined) begun.hasEnded = true;
      }
    },
  });
}
