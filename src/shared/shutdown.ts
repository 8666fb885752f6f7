import type { Logger } from './logger.ts';

export interface ShutdownStep {
  readonly name: string;
  readonly timeoutMs: number;
  readonly run: () => Promise<void> | void;
}

/**
 * Runs the steps in order on SIGTERM or SIGINT, each within its own time limit, then exits 0; a second signal exits 1
 * at once. A step that fails or times out is logged, and the next one runs. The returned function does the same without a
 * signal.
 */
export function onShutdown(logger: Logger, steps: readonly ShutdownStep[]): () => void {
  let isStopping = false;
  const stop = (signal?: NodeJS.Signals): void => {
    isStopping = true;
    logger.info({ signal }, 'shutting down');
    void runSteps(logger, steps).then(() => process.exit(0));
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      logger.warn({ signal }, 'second signal: exiting at once');
      process.exit(1);
    }
    stop(signal);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return () => {
    if (!isStopping) stop();
  };
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
