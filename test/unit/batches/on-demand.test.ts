import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLogger } from '../../../src/shared/logger.ts';
import { OnDemand } from '../../../src/worker/batches/on-demand.ts';

function countingEngine(idleMs: number, failures = 0) {
  const seen = { starts: 0, closes: 0 };
  const engine = new OnDemand(
    async () => {
      seen.starts += 1;
      await delay(5);
      if (seen.starts <= failures) throw new Error('it does not start');
      return {
        close: async () => {
          seen.closes += 1;
        },
      };
    },
    idleMs,
    createLogger('silent', 'test'),
  );
  return { engine, seen };
}

it('starts once for all users and closes after an idle period', async () => {
  const { engine, seen } = countingEngine(40);
  expect(engine.current).toBeUndefined();
  await Promise.all([1, 2, 3].map(() => engine.use(async () => delay(5))));
  expect(seen).toEqual({ starts: 1, closes: 0 });
  expect(engine.current).toBeDefined();
  await expect.poll(() => seen.closes).toBe(1);
  await engine.use(async () => undefined);
  expect(seen.starts).toBe(2);
  await engine.close();
  expect(seen.closes).toBe(2);
});

it('stays open while it is in use', async () => {
  const { engine, seen } = countingEngine(5);
  await engine.use(async () => undefined);
  await engine.use(async () => delay(30));
  expect(seen).toEqual({ starts: 1, closes: 0 });
  await engine.close();
});

it('fails its users when it cannot start, and starts again for the next user', async () => {
  const { engine, seen } = countingEngine(1_000, 1);
  await expect(engine.use(async () => 1)).rejects.toThrow('does not start');
  expect(await engine.use(async () => 2)).toBe(2);
  expect(seen.starts).toBe(2);
  await engine.close();
});
