import { expect, test, vi } from 'vitest';
import { createReadiness } from '../../../src/shared/readiness.ts';

test('a draining process reports it at once, whatever is cached and however slow its dependencies are', async () => {
  let isAccepting = true;
  let isSlow = false;
  let checks = 0;
  const database = async (): Promise<boolean> => {
    checks++;
    if (isSlow) await new Promise(() => undefined);
    return true;
  };
  const readiness = createReadiness([{ name: 'database', check: database }], () => isAccepting);
  expect(await readiness()).toEqual({ status: 'ready', checks: { accepting: true, database: true } });
  expect((await readiness()).status).toBe('ready');
  expect(checks).toBe(1);
  isAccepting = false;
  isSlow = true;
  expect(await readiness()).toEqual({ status: 'unavailable', checks: { accepting: false, database: true } });
  expect(checks).toBe(1);
});

test('a probe that began before the process drained does not report it as ready', async () => {
  let isAccepting = true;
  let respond = (): void => undefined;
  const check = () =>
    new Promise<boolean>((resolve) => {
      respond = () => resolve(true);
    });
  const probe = createReadiness([{ name: 'database', check }], () => isAccepting)();
  isAccepting = false;
  respond();
  expect(await probe).toEqual({ status: 'unavailable', checks: { accepting: false, database: true } });
});

test('a process that stalled does not consider its dependencies lost', async () => {
  let checks = 0;
  // The reply arrives while the process is stalled, so the time limit ends first.
  const check = async (): Promise<boolean> => {
    checks++;
    if (checks === 1) await new Promise((resolve) => setTimeout(resolve, 2_010));
    return true;
  };
  const probe = createReadiness([{ name: 'database', check }])();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_700);
  expect(await probe).toEqual({ status: 'ready', checks: { database: true } });
  expect(checks).toBe(2);
});

test('a dependency that does not respond within two seconds is lost, without a second attempt', async () => {
  vi.useFakeTimers();
  try {
    let checks = 0;
    const check = async (): Promise<boolean> => {
      checks++;
      return new Promise<boolean>(() => undefined);
    };
    const probe = createReadiness([{ name: 'database', check }])();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await probe).toEqual({ status: 'unavailable', checks: { database: false } });
    expect(checks).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
