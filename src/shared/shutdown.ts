import type { Logger } from './logger.ts';

export interface ShutdownStep {
  readonly name: string;
  readonly timeoutMs: number;
  readonly run: () => Promise<void> | void;
}

/** Lets a starting process shut down in order at any time. */
export interface Shutdown {
  /** Aborted when the process is to exit. Slow steps of the start then stop early and clean up. */
  readonly signal: AbortSignal;
  /** Adds steps that run before those added earlier: whatever starts last stops first. */
  first(...steps: readonly ShutdownStep[]): void;
  /** Begins the shutdown, as a signal does. */
  begin(): void;
}

/** How long an aborted start may take; afterwards the steps run anyway. */
const startLimitMs = 10_000;

/**
 * Runs `start`. On SIGTERM or SIGINT, runs the steps that it added, each within its own time limit, and exits with 0. A
 * signal during the start aborts it first. A second signal exits with 1 at once. A step that fails or times out is
 * logged, and the next one runs. If the start itself fails, the steps added so far run and the returned promise rejects
 * with the reason.
 */
export async function runUntilShutdown(logger: Logger, start: (shutdown: Shutdown) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const steps: ShutdownStep[] = [];
  const stop = (received?: NodeJS.Signals): void => {
    logger.info({ signal: received }, 'shutting down');
    controller.abort(new Error('the process is shutting down'));
    const waiting = { name: 'start', timeoutMs: startLimitMs, run: () => started.catch(ignoreEnd) };
    void runSteps(logger, [waiting])
      .then(() => runSteps(logger, steps))
      .then(() => process.exit(0));
  };
  const ignoreEnd = (error: unknown): void => {
    if (error !== signal.reason) logger.warn({ err: error }, 'the start was interrupted');
  };
  const onSignal = (received: NodeJS.Signals): void => {
    if (signal.aborted) {
      logger.warn({ signal: received }, 'second signal: exiting at once');
      process.exit(1);
    }
    stop(received);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  const started = start({
    signal,
    first: (...added) => void steps.unshift(...added),
    begin: () => {
      if (!signal.aborted) stop();
    },
  });
  try {
    await started;
  } catch (error) {
    // The steps are already running, and the process exits after them.
    if (signal.aborted) return;
    await runSteps(logger, steps);
    throw error;
  }
}

async function runSteps(logger: Logger, steps: readonly ShutdownStep[]): Promise<void> {
  for (const step of steps) {
    try {
      await withinMs(step.timeoutMs, step.name, Promise.resolve().then(step.run));
    } catch (error) {
      logger.error({ err: error, step: step.name }, 'shutdown step failed');
    }
  }
}

async function withinMs(timeoutMs: number, name: string, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
