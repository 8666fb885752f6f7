import type { Block } from '../document/tree.ts';
import { anchoredItems } from './anchored-items.ts';
import { type Item, moveItem } from './items.ts';
import {
  layOutParagraph,
  type ParagraphLayout,
  paragraphHeight,
  paragraphItems,
  spaceBetween,
  spaceOfUpper,
} from './lay-out-paragraph.ts';
import { layOutTable, tableHeight, tableItems } from './lay-out-table.ts';
import type { LineContext } from './line-context.ts';
import { type Stack, type StackedPart, spaceBelow } from './stack.ts';
import { BlockStructure } from './structure.ts';

/**
 * Lays out consecutive blocks. `structures` are their parents in the structure, if they have more than one. Throws
 * UnknownFeature.
 */
export function stackBlocks(
  blocks: readonly Block[],
  width: number,
  context: LineContext,
  structures?: readonly BlockStructure[],
): Stack {
  const own = new BlockStructure(context.structure, blocks);
  const items: Item[] = [];
  const parts: StackedPart[] = [];
  let height = 0;
  let last: ParagraphLayout | undefined;
  let [afterTable, hasTables] = [false, false];
  for (const [index, block] of blocks.entries()) {
    const structure = structures?.[index] ?? own;
    if (block.kind === 'table') {
      structure.endLists();
      const table = layOutTable(block, width, context, stackBlocks);
      height += spaceBelow(last);
      items.push(...tableItems(table).map((item) => moveItem(item, table.left, height)));
      height += tableHeight(table);
      last = undefined;
      [afterTable, hasTables] = [true, true];
      continue;
    }
    const layout = layOutParagraph(block, width, context);
    const above = last === undefined || afterTable ? block.format.before : spaceBetween(last, block, context);
    height += above;
    const elements = structure.textOf(block);
    if (block.anchored.length > 0) {
      const ownSpace = above - (last === undefined ? 0 : spaceOfUpper(last, block));
      items.push(...anchoredItems(layout, { top: height, ownSpace, lines: layout.lines }, context, elements?.text));
    }
    items.push(...paragraphItems(layout, layout.lines, height, elements));
    parts.push({ layout, lines: layout.lines, elements, top: height });
    height += paragraphHeight(layout);
    last = layout;
    afterTable = false;
  }
  return { items, height, last, parts: hasTables ? undefined : parts };
}
