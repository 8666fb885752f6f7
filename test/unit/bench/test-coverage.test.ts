import { expect, it } from 'vitest';
import { type FileCoverage, merge, shareOf, sum } from '../../../bench/test-coverage/count.ts';

const at = (line: number) => ({ start: { line } });
/** Two statements on line 1, one on line 2, and an if with both branches. */
const file = (first: number, second: number, third: number, branch: readonly [number, number]): FileCoverage => ({
  statementMap: { 0: at(1), 1: at(1), 2: at(2) },
  s: { 0: first, 1: second, 2: third },
  b: { 0: branch },
});

it('a line is covered when one of its statements ran; each branch counts', () => {
  expect(shareOf(file(0, 3, 0, [2, 0]))).toEqual({
    lines: { covered: 1, total: 2 },
    branches: { covered: 1, total: 2 },
  });
});

it('the coverage of several rings is everything that at least one of them covers', () => {
  const together = merge([
    { 'a.ts': file(1, 0, 0, [1, 0]), 'b.ts': file(0, 0, 0, [0, 0]) },
    { 'a.ts': file(0, 0, 1, [0, 2]) },
  ]);
  expect(sum(Object.values(together).map(shareOf))).toEqual({
    lines: { covered: 2, total: 4 },
    branches: { covered: 2, total: 4 },
  });
});
