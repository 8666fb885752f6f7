import { expect, it } from 'vitest';
import { tableOf } from '../../../bench/mutants/table.ts';

const times = (count: number, status: string, fileName = 'src/a/one.ts') =>
  Array.from({ length: count }, () => ({ fileName, status }));

it('the score counts killed mutants and timeouts, both among all mutants and among those that a test reaches', () => {
  const mutants = [
    ...[...times(5, 'Killed'), ...times(1, 'Timeout'), ...times(2, 'Survived'), ...times(4, 'NoCoverage')],
    ...[...times(9, 'Ignored'), ...times(3, 'RuntimeError')],
    ...times(4, 'NoCoverage', 'src/ab/two.ts'),
  ];
  expect(tableOf(mutants, ['src/a', 'src/ab']).slice(2)).toEqual([
    '| `src/a` | 12 | 5 | 1 | 2 | 4 | 75.0 | 50.0 |',
    '| `src/ab` | 4 | 0 | 0 | 0 | 4 | – | 0.0 |',
    '| all | 16 | 5 | 1 | 2 | 8 | 75.0 | 37.5 |',
  ]);
});
