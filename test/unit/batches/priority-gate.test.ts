import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPriorityGate } from '../../../src/worker/batches/priority-gate.ts';

function latch() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Creates steps that each last until a test opens them; `begun` lists those that have started. */
function stepsOf(gate: ReturnType<typeof createPriorityGate>, count: number) {
  const begun: number[] = [];
  const latches = Array.from({ length: count }, () => latch());
  const ends = latches.map((one, index) =>
    gate.yieldToInteractive(async () => {
      begun.push(index);
      await one.opened;
    }),
  );
  return { begun, ends, open: (index: number) => latches[index]?.open() };
}

describe('the priority gate', () => {
  it('runs all steps of batches while no request waits', async () => {
    const { begun } = stepsOf(createPriorityGate(2), 20);
    await nextTick();
    expect(begun).toHaveLength(20);
  });

  it('runs one step at a time beside a request, in order, and more once the request is served', async () => {
    const gate = createPriorityGate(2);
    const caller = latch();
    const served = gate.runInteractive(() => caller.opened);
    const { begun, open } = stepsOf(gate, 5);
    await nextTick();
    expect(begun).toEqual([0]);
    open(0);
    await nextTick();
    expect(begun).toEqual([0, 1]);
    caller.open();
    await served;
    await nextTick();
    expect(begun).toEqual([0, 1, 2]);
  });

  it('counts a request as recent for a second', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const gate = createPriorityGate(2);
    expect(gate.hasRecentCallers()).toBe(false);
    await gate.runInteractive(async () => expect(gate.hasRecentCallers()).toBe(true));
    vi.advanceTimersByTime(999);
    expect(gate.hasRecentCallers()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(gate.hasRecentCallers()).toBe(false);
  });

  it('runs as many steps as the requests leave processors free', async () => {
    const gate = createPriorityGate(8);
    const callers = [latch(), latch()];
    const served = callers.map((one) => gate.runInteractive(() => one.opened));
    const { begun } = stepsOf(gate, 10);
    await nextTick();
    expect(begun).toHaveLength(5);
    callers[0]?.open();
    await served[0];
    await nextTick();
    expect(begun).toHaveLength(6);
  });

  it('is released when the task fails', async () => {
    const gate = createPriorityGate(1);
    const fail = (): Promise<never> => Promise.reject(new Error('no'));
    await expect(gate.runInteractive(fail)).rejects.toThrow('no');
    const caller = latch();
    const served = gate.runInteractive(() => caller.opened);
    await expect(gate.yieldToInteractive(fail)).rejects.toThrow('no');
    expect(await gate.yieldToInteractive(() => Promise.resolve('done'))).toBe('done');
    caller.open();
    await served;
  });
});
