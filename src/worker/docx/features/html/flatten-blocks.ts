import type { Block, Inline, TableBlock } from './blocks.ts';

const lineBreak: Inline = { kind: 'break' };

/** The same content within one paragraph: a line for each paragraph, list item and table row. */
export function flattenBlocks(blocks: readonly Block[]): readonly Inline[] {
  const lines = linesOf(blocks, new Map());
  return lines.flatMap((line, i) => (i === 0 ? line : [lineBreak, ...line]));
}

type Counts = Map<object, number>;

function linesOf(blocks: readonly Block[], counts: Counts): readonly (readonly Inline[])[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'table') return rowsOf(block, counts);
    const { list } = block;
    if (list?.isNumbered !== true) return [block.content];
    const number = counts.get(list.list) ?? list.list.start;
    counts.set(list.list, number + 1);
    const mark = list.list.format === 'bullet' ? '• ' : `${number}. `;
    return [[plain(mark), ...block.content]];
  });
}

function rowsOf({ rows }: TableBlock, counts: Counts): readonly (readonly Inline[])[] {
  return rows.map(({ cells }) =>
    cells.flatMap(({ blocks }, i) => {
      const text = linesOf(blocks, counts).flatMap((line, j) => (j === 0 ? line : [plain(' '), ...line]));
      return i === 0 ? text : [plain('\t'), ...text];
    }),
  );
}

function plain(text: string): Inline {
  return { kind: 'text', text, format: {}, link: undefined };
}
