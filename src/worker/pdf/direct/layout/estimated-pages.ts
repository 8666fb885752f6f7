import type { Block } from '../document/tree.ts';

/** Paragraphs and rows of an estimated page in a document of at most so many nodes. */
const blocksOfShort = 25;
const mostOfShort = 100;
/** In a longer one, with three more for each thousand of its nodes. */
const blocksOfLong = 20;
const nodesPerStep = 1_000;
const blocksPerStep = 3;
/** What Writer takes off for a table. */
const nodesOffTable = 25;
/** Our number of nodes may be another than Writer's by so many, or by this share of them. */
const leastSlack = 10;
const slackShare = 0.02;

/**
 * The blocks of a section that may begin a page in Writer's first estimate, by index. It counts paragraphs and rows instead of measuring
 * them (`SwLayHelper::CheckInsertPage`). `nodes` is `countNodes` of the whole document.
 */
export function estimatedPageStarts(
  blocks: readonly Block[],
  isFirstSection: boolean,
  nodes: number,
): ReadonlySet<number> {
  return new Set(pageSizes(nodes).flatMap((size) => startsOf(blocks, isFirstSection, size)));
}

/** How many paragraphs and rows a page may have in the estimate (`SwLayHelper::CalcPageCount`). */
function pageSizes(nodes: number): readonly number[] {
  const slack = Math.max(leastSlack, nodes * slackShare);
  const sizes = nodes - slack <= mostOfShort ? [blocksOfShort] : [];
  if (nodes + slack <= mostOfShort) return sizes;
  const [first, last] = [nodes - slack, nodes + slack].map((count) => Math.max(0, Math.floor(count / nodesPerStep)));
  for (let step = first ?? 0; step <= (last ?? 0); step++) sizes.push(blocksOfLong + step * blocksPerStep);
  return sizes;
}

function startsOf(blocks: readonly Block[], isFirstSection: boolean, size: number): number[] {
  const starts: number[] = [];
  let count = 0;
  for (const [index, block] of blocks.entries()) {
    count += block.kind === 'table' ? block.rows.length : 1;
    const isAsked = index === 0 ? !isFirstSection : block.kind === 'paragraph' && block.format.breaksPageBefore;
    if (!isAsked && count <= size) continue;
    starts.push(index);
    // The block that begins a page does not count on it.
    count = 0;
  }
  return starts;
}

/** What Writer counts as the nodes of blocks: a paragraph is one, a cell and a table have one where they begin and where they end. */
export function countNodes(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => {
    if (block.kind === 'paragraph') return sum + 1;
    const cells = block.rows.flatMap((row) => row.cells);
    return cells.reduce((inner, cell) => inner + 2 + countNodes(cell.blocks), sum + 2 - nodesOffTable);
  }, 0);
}
