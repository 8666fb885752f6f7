import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/shared/logger.ts';
import { OnDemand } from '../../../src/worker/batches/on-demand.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const idleMs = 1_000;

function countingEngine(failures = 0) {
  const seen = { starts: 0, closes: 0 };
  const start = async () => {
    seen.starts += 1;
    if (seen.starts <= failures) throw new Error('it does not start');
    return {
      close: async () => {
        seen.closes += 1;
      },
    };
  };
  return { engine: new OnDemand(start, idleMs, createLogger('silent', 'test')), seen };
}

it('starts once for all users and closes after an idle period', async () => {
  const { engine, seen } = countingEngine();
  expect(engine.current).toBeUndefined();
  await Promise.all([1, 2, 3].map(() => engine.use(async () => undefined)));
  expect(engine.current).toBeDefined();
  await vi.advanceTimersByTimeAsync(idleMs - 1);
  expect(seen).toEqual({ starts: 1, closes: 0 });
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual({ starts: 1, closes: 1 });
  await engine.use(async () => undefined);
  expect(seen.starts).toBe(2);
  await engine.close();
  expect(seen.closes).toBe(2);
});

it('stays open while it is in use', async () => {
  const { engine, seen } = countingEngine();
  await engine.use(async () => undefined);
  await engine.use(() => vi.advanceTimersByTimeAsync(2 * idleMs));
  expect(seen).toEqual({ starts: 1, closes: 0 });
  await engine.close();
});

it('fails its users when it cannot start, and starts again for the next user', async () => {
  const { engine, seen } = countingEngine(1);
  await expect(engine.use(async () => 1)).rejects.toThrow('does not start');
  expect(await engine.use(async () => 2)).toBe(2);
  expect(seen.starts).toBe(2);
  await engine.close();
});
