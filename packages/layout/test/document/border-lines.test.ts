import { expect, test } from 'vitest';
import { namespace } from '../../../../test/support/documents/word-xml.ts';
import { readBorderLines } from '../../src/document/border-lines.ts';
import { parseElement } from '../../src/document/parse-element.ts';
import { paragraphRules } from '../../src/layout/paragraph-rules.ts';
import { drawBoxRule } from '../../src/write/draw-areas.ts';
import { GraphicsState } from '../../src/write/graphics-state.ts';
import { textParagraph } from '../text-paragraph.ts';

const linesOf = (kind: string, size: number) =>
  readBorderLines(parseElement(`<w:top xmlns:w="${namespace}" w:val="${kind}" w:sz="${size}"/>`), 0);

test.each([
  ['single', 3, [7]],
  ['thick', 3, [14]],
  ['double', 3, [7, 7, 7]],
  ['triple', 4, [10, 10, 10]],
  ['thinThickSmallGap', 12, [30, 15, 15]],
  ['thickThinSmallGap', 12, [15, 15, 30]],
  ['thinThickMediumGap', 6, [15, 8, 8]],
  ['thickThinMediumGap', 6, [8, 8, 15]],
  ['thinThickLargeGap', 12, [30, 30, 15]],
  ['thickThinLargeGap', 24, [15, 60, 30]],
])('the lines of a border %s of %i eighths of a point', (kind, size, lines) => {
  expect(linesOf(kind, size)).toEqual(lines);
});

test.each(['wave', 'toString', ''])('a border %s is left to LibreOffice', (kind) => {
  expect(() => linesOf(kind, 8)).toThrow(`a border ${kind}`);
});

const { format } = textParagraph('');
const flipped = (twips: number): number => 800 - twips / 20;
const borderOf = (lines: readonly [number, number, number]) => ({
  lines,
  width: lines[0] + lines[1] + lines[2],
  space: 0,
  color: '000000',
});

test('the inner lines of a box end at those of other sides', () => {
  const border = borderOf([30, 15, 15]);
  const sides = { borderTop: border, borderRight: border, borderBottom: border, borderLeft: border };
  const box = { left: 1360, top: 2198, right: 10_546, bottom: 2628 };
  const rules = paragraphRules({ ...format, ...sides }, box);
  expect(rules.map(({ side, startInset, endInset }) => `${side} ${startInset} ${endInset}`)).toEqual([
    'top 0 0',
    'top 30 45',
    'right 0 0',
    'right 30 45',
    'bottom 0 0',
    'bottom 45 30',
    'left 0 0',
    'left 45 30',
  ]);
});

test('lines are drawn on even twips from the left and the top, and within the last even twip of the other sides', () => {
  const border = borderOf([15, 15, 30]);
  const rules = paragraphRules(
    { ...format, borderTop: border, borderBottom: border },
    { left: 1441, top: 2003, right: 4001, bottom: 3002 },
  );
  const canvas = { flipped, state: new GraphicsState() };
  expect(rules.map((rule) => drawBoxRule(rule, canvas))).toEqual([
    '0.75 w 72.1 699.4 m 200.05 699.4 l S',
    '1.5 w 72.1 697.55 m 200.05 697.55 l S',
    '0.75 w 72.1 650.3 m 200.05 650.3 l S',
    '1.5 w 72.1 652.2 m 200.05 652.2 l S',
  ]);
});

test.each(['borderLeft', 'borderRight'] as const)(
  'two lines that meet another border at %s are left to LibreOffice',
  (side) => {
    const single = { lines: [10], width: 10, space: 0, color: '000000' } as const;
    const borders = { borderTop: borderOf([10, 10, 10]), [side]: single };
    expect(() => paragraphRules({ ...format, ...borders }, { left: 0, top: 0, right: 100, bottom: 100 })).toThrow(
      'a double border that meets another one',
    );
  },
);
