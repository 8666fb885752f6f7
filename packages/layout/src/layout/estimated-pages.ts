import type { Block } from '../document/tree.ts';

/** Paragraphs and rows on an estimated page, in a document with at most this number of nodes. */
const blocksOfShort = 25;
const mostOfShort = 100;
/** In a longer document, three more for each thousand nodes. */
const blocksOfLong = 20;
const nodesPerStep = 1_000;
const blocksPerStep = 3;
/** The number of nodes that Writer subtracts for a table. */
const nodesOffTable = 25;
/** The count may differ from Writer's by this number of nodes, or by this share of them. */
const leastSlack = 10;
const slackShare = 0.02;

/**
 * The indices of a section's blocks that may begin a page in Writer's first estimate, which counts paragraphs and rows
 * instead of measuring them (`SwLayHelper::CheckInsertPage`). `nodes` is `countNodes` of the whole document.
 */
export function estimatedPageStarts(
  blocks: readonly Block[],
  isFirstSection: boolean,
  nodes: number,
): ReadonlySet<number> {
  return new Set(pageSizes(nodes).flatMap((size) => startsOf(blocks, isFirstSection, size)));
}

/** The possible numbers of paragraphs and rows on an estimated page (`SwLayHelper::CalcPageCount`). */
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
    // The block that begins a page does not count towards it.
    count = 0;
  }
  return starts;
}

/** Writer's number of nodes in blocks: one for a paragraph, two (start and end) for a cell and for a table. */
export function countNodes(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => {
    if (block.kind === 'paragraph') return sum + 1;
    const cells = block.rows.flatMap((row) => row.cells);
    return cells.reduce((inner, cell) => inner + 2 + countNodes(cell.blocks), sum + 2 - nodesOffTable);
  }, 0);
}
