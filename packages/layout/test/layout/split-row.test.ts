import { expect, test } from 'vitest';
import type { Cell } from '../../src/document/tree.ts';
import type { Line } from '../../src/layout/line.ts';
import type { RowLayout } from '../../src/layout/row-layout.ts';
import { splitRow } from '../../src/layout/split-row.ts';
import type { StackedPart } from '../../src/layout/stack.ts';
import { UnknownFeature } from '../../src/unknown-feature.ts';
import { textParagraph } from '../text-paragraph.ts';

const noBorders = { top: undefined, bottom: undefined, left: undefined, right: undefined };
const plainCell: Omit<Cell, 'blocks'> = {
  start: 0,
  end: 10_000,
  widthSlack: 0,
  ...{ marginTop: 20, marginBottom: 30, marginLeft: 0, marginRight: 0 },
  ...{ shading: undefined, borders: noBorders, alignment: 'top', rowSpan: 1 },
};

interface Spaces {
  readonly before?: number;
  readonly after?: number;
}

/** A row without borders; `cells` has the number of lines of each paragraph in each cell. A line is 100 twips high. */
function rowOf(cells: readonly (readonly number[])[], { before = 0, after = 0 }: Spaces = {}, least = 0): RowLayout {
  const paragraph = textParagraph('', { before, after });
  const laid = cells.map((counts) => {
    let end = 0;
    const parts = counts.map((count): StackedPart => {
      const lines = Array.from(
        { length: count },
        (): Line => ({ height: 100, ascent: 80, spacingBelow: 0, spacing: 0, fragments: [] }),
      );
      const top = end + before;
      end = top + count * 100;
      return { layout: { kind: 'paragraph', paragraph, lines, width: 1000 }, lines, elements: undefined, top };
    });
    const items = parts.flatMap(({ lines, top }) =>
      lines.map((line, index) => ({
        kind: 'line' as const,
        left: 0,
        top: top + index * 100,
        line,
        outline: undefined,
        elements: undefined,
      })),
    );
    const cell = { ...plainCell, blocks: parts.map(() => paragraph) };
    const stack = { items, height: end, last: parts.at(-1)?.layout, parts };
    return { cell, left: 0, width: 1000, stack, height: 20 + end + after + 30 };
  });
  const row = {
    cells: laid.map(({ cell }) => cell),
    ...{ shading: undefined, height: least, isExact: false, canSplit: true, isHeading: false },
  };
  const height = Math.max(...laid.map((cell) => cell.height));
  return { row, borderAbove: 0, height, cells: laid, keepsWithNext: false, keepsItself: false, isRest: false };
}

/** The lines of each cell above and below a page end. */
function linesOf(row: RowLayout, free: number): unknown {
  const split = splitRow(row, free);
  const count = ({ cells }: RowLayout): readonly number[] => cells.map(({ stack }) => stack.items.length);
  return split && [count(split.above), count(split.below)];
}

test('each cell keeps the lines that fit between its margins', () => {
  const row = rowOf([[5], [1], [2, 2]]);
  expect(linesOf(row, 350)).toEqual([
    [3, 1, 3],
    [2, 0, 1],
  ]);
  expect(linesOf(row, 349)).toEqual([
    [2, 1, 2],
    [3, 0, 2],
  ]);
});

test('the space above a paragraph is repeated above its remainder', () => {
  const split = splitRow(rowOf([[5, 1]], { before: 60 }), 320);
  expect(split?.above.height).toBe(20 + 60 + 200 + 30);
  expect(split?.below.cells[0]?.stack.items.map((item) => item.kind === 'line' && item.top)).toEqual([
    60, 160, 260, 420,
  ]);
  expect(split?.below.height).toBe(20 + 520 + 30);
});

test('a row goes to the next page as a whole where a cell would keep no line', () => {
  expect(linesOf(rowOf([[3], [3]]), 149)).toBeUndefined();
  expect(linesOf(rowOf([[3], [3]]), 150)).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test('the remainder of a row may have cells without text', () => {
  const rest = splitRow(rowOf([[9], [1]]), 350)?.below;
  expect(rest && linesOf(rest, 350)).toEqual([
    [3, 0],
    [3, 0],
  ]);
});

test.each([
  ['the space below a paragraph in a row across a page end', rowOf([[5], [2]], { after: 200 })],
  ['the space below a paragraph in a row across a page end', rowOf([[1, 5]], { before: 50, after: 90 })],
  ['a row with a minimum height across a page end', rowOf([[5]], {}, 101)],
  ['a row across a page end that stays with the next one', { ...rowOf([[5]]), keepsWithNext: true }],
])('%s: left to LibreOffice', (reason, row) => {
  expect(() => splitRow(row, 430)).toThrow(new UnknownFeature(reason));
});
