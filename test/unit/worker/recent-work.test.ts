import { expect, it } from 'vitest';
import { createRecentWork } from '../../../src/worker/recent-work.ts';

it('jobs that ended within two minutes are counted by queue', () => {
  let nowMs = 5_000;
  const recent = createRecentWork(() => nowMs);
  recent.count('pdf', false);
  recent.count('pdf', true);
  nowMs = 100_000;
  recent.count('pdf', false);
  recent.count('mail', false);
  expect(recent.read()).toEqual({ pdf: { ended: 3, failed: 1 }, mail: { ended: 1, failed: 0 } });
  nowMs = 125_000;
  expect(recent.read()).toEqual({ pdf: { ended: 1, failed: 0 }, mail: { ended: 1, failed: 0 } });
  nowMs = 300_000;
  expect(recent.read()).toEqual({});
});
