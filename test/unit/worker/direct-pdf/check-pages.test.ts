import { expect, test } from 'vitest';
import { createLogger } from '../../../../src/shared/logger.ts';
import { createBackgroundWork } from '../../../../src/worker/direct-pdf/background-work.ts';
import { isPageChecked } from '../../../../src/worker/direct-pdf/check-pages.ts';

const ids = Array.from({ length: 4_000 }, (_, index) => `doc_${index}`);

test('the first ten documents of a version are compared, and then the configured share', () => {
  expect(ids.every((id) => isPageChecked(id, 9, 0.01))).toBe(true);
  const checked = ids.filter((id) => isPageChecked(id, 10, 0.05)).length / ids.length;
  expect(checked).toBeGreaterThan(0.035);
  expect(checked).toBeLessThan(0.065);
  expect(ids.every((id) => isPageChecked(id, 10, 1))).toBe(true);
});

test('no document is compared with a share of 0', () => {
  expect(ids.some((id) => isPageChecked(id, 0, 0))).toBe(false);
});

test('background work runs one at a time, continues after a failure, and is skipped when too much is waiting', async () => {
  const work = createBackgroundWork(createLogger('silent', 'test'));
  const done: number[] = [];
  const added = Array.from({ length: 7 }, (_, index) =>
    work.add(async () => {
      done.push(index);
      if (index === 1) throw new Error('broken');
    }),
  );
  expect(added).toEqual([true, true, true, true, true, false, false]);
  await work.idle();
  expect(done).toEqual([0, 1, 2, 3, 4]);
});
