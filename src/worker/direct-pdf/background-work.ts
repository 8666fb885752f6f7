import type { Logger } from '../../shared/logger.ts';

/** Runs work that no caller waits for, one piece at a time. */
export interface BackgroundWork {
  /** Returns false and skips the work if too much is waiting, so that waiting documents need little memory. */
  add(work: () => Promise<void>): boolean;
  /** Settles when nothing runs or waits. */
  idle(): Promise<void>;
  /** Discards waiting work. */
  stop(): void;
}

const maxWaiting = 4;

export function createBackgroundWork(logger: Logger): BackgroundWork {
  const waiting: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  const runAll = async (): Promise<void> => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift())
      await work().catch((error: unknown) => logger.warn({ err: error }, 'background work failed'));
    running = undefined;
  };
  return {
    add(work) {
      if (waiting.length >= maxWaiting) return false;
      waiting.push(work);
      running ??= runAll();
      return true;
    },
    async idle() {
      while (running !== undefined) await running;
    },
    stop() {
      waiting.length = 0;
    },
  };
}
