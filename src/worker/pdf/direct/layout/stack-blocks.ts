import type { Block } from '../document/tree.ts';
import type { LineContext } from './fill-lines.ts';
import { type Item, moveItem } from './items.ts';
import {
  layOutParagraph,
  type ParagraphLayout,
  paragraphHeight,
  paragraphItems,
  spaceBetween,
} from './lay-out-paragraph.ts';
import { layOutTable, tableHeight, tableItems } from './lay-out-table.ts';
import { type Stack, type StackedPart, spaceBelow } from './stack.ts';

/** Lays out blocks below each other. Throws UnknownFeature. */
export function stackBlocks(blocks: readonly Block[], width: number, context: LineContext): Stack {
  const items: Item[] = [];
  const parts: StackedPart[] = [];
  let height = 0;
  let last: ParagraphLayout | undefined;
  let [afterTable, hasTables] = [false, false];
  for (const block of blocks) {
    if (block.kind === 'table') {
      const table = layOutTable(block, width, context, stackBlocks);
      height += spaceBelow(last);
      items.push(...tableItems(table).map((item) => moveItem(item, table.left, height)));
      height += tableHeight(table);
      last = undefined;
      [afterTable, hasTables] = [true, true];
      continue;
    }
    const layout = layOutParagraph(block, width, context);
    height += last === undefined || afterTable ? block.format.before : spaceBetween(last, block, context);
    items.push(...paragraphItems(layout, layout.lines, height));
    parts.push({ layout, lines: layout.lines, top: height });
    height += paragraphHeight(layout);
    last = layout;
    afterTable = false;
  }
  return { items, height, last, parts: hasTables ? undefined : parts };
}
