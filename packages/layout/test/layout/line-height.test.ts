import { expect, test } from 'vitest';
import { lineHeight } from '../../src/layout/line-height.ts';
import { textParagraph } from '../text-paragraph.ts';

const format = (line: number, lineRule: 'auto' | 'exact' | 'atLeast' = 'auto') =>
  textParagraph('', { line, lineRule }).format;
const mark = { lineHeight: 240, ascent: 200 };
const [high, deep] = [
  { lineHeight: 300, ascent: 260 },
  { lineHeight: 280, ascent: 210 },
];

test('a line has the highest ascent and the deepest descent; the spacing above is that of its highest font', () => {
  expect(lineHeight(format(480), [high, deep], [], mark)).toEqual({
    height: 330,
    ascent: 260,
    spacing: 300,
    spacingBelow: 330,
  });
});

test('pictures make a line higher, not its spacing', () => {
  const line = lineHeight(format(360), [deep], [1_000], mark);
  expect(line).toEqual({ height: 1_070, ascent: 1_000, spacing: 140, spacingBelow: 140 });
  expect(lineHeight(format(360), [], [1_000], mark)).toMatchObject({ height: 1_000, spacing: 120, spacingBelow: 120 });
});

test('lines of an exact or a least height have no spacing', () => {
  expect(lineHeight(format(500, 'exact'), [high], [], mark)).toEqual({
    height: 500,
    ascent: 400,
    spacing: 0,
    spacingBelow: 0,
  });
  expect(lineHeight(format(500, 'atLeast'), [high], [], mark)).toMatchObject({ height: 500, ascent: 460, spacing: 0 });
  expect(() => lineHeight(format(500, 'exact'), [high], [1_000], mark)).toThrow(
    'a picture in a line of an exact height',
  );
  expect(() => lineHeight(format(200), [high], [], mark)).toThrow('less than one line');
});

test('tabs of a last line count for the spacing below it alone', () => {
  expect(lineHeight(format(480), [mark], [], mark, [high])).toEqual({
    height: 240,
    ascent: 200,
    spacing: 240,
    spacingBelow: 300,
  });
});
