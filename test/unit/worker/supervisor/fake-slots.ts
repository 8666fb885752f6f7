import { createLogger } from '../../../../src/shared/logger.ts';
import { SlotPool, type SlotPoolOptions } from '../../../../src/worker/supervisor/slot-pool.ts';
import type { Slot } from '../../../../src/worker/supervisor/slot-supervisor.ts';

export class FakeSlot implements Slot {
  readonly ended: Promise<string>;
  readonly number: number;
  isGone = false;
  wasKilled = false;
  uses = 0;
  #end: (reason: string) => void = () => undefined;

  constructor(number: number) {
    this.number = number;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async destroy(): Promise<void> {
    this.isGone = true;
    this.#end('destroyed');
  }

  die(): void {
    this.isGone = true;
    this.#end('died');
  }
}

export interface PoolOptions extends Partial<SlotPoolOptions<FakeSlot>> {
  /** How long a slot takes to start. */
  readonly startMs?: number;
}

/** A pool of fake slots. Each entry of `failures` makes one start fail. */
export function poolOf({ startMs = 0, ...options }: PoolOptions = {}, failures: Error[] = []) {
  const started: FakeSlot[] = [];
  const pool = new SlotPool<FakeSlot>({
    name: 'a test slot',
    slots: 1,
    start: async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      if (startMs > 0) await new Promise((resolve) => setTimeout(resolve, startMs));
      const slot = new FakeSlot(started.length + 1);
      started.push(slot);
      return slot;
    },
    startTimeoutMs: 1_000,
    retryDelayMs: (count) => 5 * count,
    unavailableAfter: 2,
    starts: 'slow',
    timeLimitMs: 60_000,
    quickMs: 600,
    keepsSlotFree: true,
    errors: {
      unavailable: () => new Error('unavailable'),
      closing: () => new Error('closing'),
    },
    logger: createLogger('silent', 'test'),
    ...options,
  });
  return { pool, started };
}

export function latch() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
