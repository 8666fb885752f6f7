import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPriorityGate } from '../../../src/worker/batches/priority-gate.ts';

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** So many steps, each of which lasts until it is let go, and who of them has begun. */
function stepsOf(way: ReturnType<typeof createPriorityGate>, count: number) {
  const begun: number[] = [];
  const gates = Array.from({ length: count }, () => gate());
  const ends = gates.map((one, index) =>
    way.step(async () => {
      begun.push(index);
      await one.opened;
    }),
  );
  return { begun, ends, open: (index: number) => gates[index]?.open() };
}

describe('the right of way', () => {
  it('keeps no step back while nobody waits', async () => {
    const { begun } = stepsOf(createPriorityGate(2), 20);
    await turn();
    expect(begun).toHaveLength(20);
  });

  it('lets one step go on at a time beside a caller, in their order, and some more when the caller has gone', async () => {
    const way = createPriorityGate(2);
    const caller = gate();
    const served = way.first(() => caller.opened);
    const { begun, open } = stepsOf(way, 5);
    await turn();
    expect(begun).toEqual([0]);
    open(0);
    await turn();
    expect(begun).toEqual([0, 1]);
    caller.open();
    await served;
    await turn();
    expect(begun).toEqual([0, 1, 2]);
  });

  it('remembers callers for a second: they come in series', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const way = createPriorityGate(2);
    expect(way.areCallersAbout()).toBe(false);
    await way.first(async () => expect(way.areCallersAbout()).toBe(true));
    vi.advanceTimersByTime(999);
    expect(way.areCallersAbout()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(way.areCallersAbout()).toBe(false);
  });

  it('lets as many go on as there are processors left', async () => {
    const way = createPriorityGate(8);
    const callers = [gate(), gate()];
    const served = callers.map((one) => way.first(() => one.opened));
    const { begun } = stepsOf(way, 10);
    await turn();
    expect(begun).toHaveLength(5);
    callers[0]?.open();
    await served[0];
    await turn();
    expect(begun).toHaveLength(6);
  });

  it('is given back by work that fails', async () => {
    const way = createPriorityGate(1);
    const fail = (): Promise<never> => Promise.reject(new Error('no'));
    await expect(way.first(fail)).rejects.toThrow('no');
    const caller = gate();
    const served = way.first(() => caller.opened);
    await expect(way.step(fail)).rejects.toThrow('no');
    expect(await way.step(() => Promise.resolve('done'))).toBe('done');
    caller.open();
    await served;
  });
});
