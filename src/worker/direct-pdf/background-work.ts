import type { Logger } from '../../shared/logger.ts';

/** Runs work one after another, for which nobody waits. */
export interface BackgroundWork {
  /** False when too much waits: the work is left out, so that documents that wait need little memory. */
  add(work: () => Promise<void>): boolean;
  /** Settles when nothing runs or waits. */
  idle(): Promise<void>;
  /** Leaves out what waits. */
  stop(): void;
}

const maxWaiting = 4;

export function createBackgroundWork(logger: Logger): BackgroundWork {
  const waiting: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  const runAll = async (): Promise<void> => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift())
      await work().catch((error: unknown) => logger.warn({ err: error }, 'work in the background failed'));
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
