import { expect, test } from 'vitest';
import { type CostSample, costFigures } from '../../../bench/cost/measure-cost.ts';
import { isWithin } from '../../../bench/cost/record.ts';

const sample = (processorMs: Readonly<Record<string, number>>): CostSample => ({
  ...{ documents: 1, seconds: 1, perSecond: 1, latenciesMs: [1], ownProcessorSeconds: 1, sizeBytes: 1 },
  ...{ processorMs, stageMs: {}, foreignShare: 0 },
});

test('the cost is the sum over the processes, divided by the loop of the same round', () => {
  const [total, api] = costFigures(
    new Map([
      ['service, 32 callers', [sample({ api: 2, worker: 4 }), sample({ api: 1, worker: 2 })]],
      ['service, 1 caller', [sample({ api: 4, worker: 8 }), sample({ api: 2, worker: 4 })]],
      ['docxtemplater + pizzip, one thread', [sample({ loop: 12 }), sample({ loop: 6 })]],
    ]),
  );
  expect(total).toMatchObject({ median: 0.5, samples: [0.5, 0.5] });
  expect(api?.median).toBeCloseTo(1 / 6, 2);
});

test.each([
  [1.2, true],
  [1.21, false],
  [Number.NaN, false],
])('a ratio of %s where 1 is recorded passes: %s', (ratio, passes) => {
  const machine = { model: 'any', cores: 2, memoryGb: 8, system: 'linux', loadBefore: 0 };
  expect(isWithin(ratio, { ratio: 1, begunAt: '', commit: '', machine, versions: {} })).toBe(passes);
});
