import type { RunPlan, Sample } from './contender-process.ts';

/** Produces one document and returns its size in bytes. `caller` counts from 0 to the concurrency of the run. */
export type Produce = (caller: number) => Promise<number> | number;

export interface OpenContender {
  readonly produce: Produce;
  readonly beforeRun?: (plan: RunPlan) => Promise<void>;
  readonly afterRun?: () => void;
  readonly close?: () => Promise<void>;
}

/**
 * The main loop of a contender's process: opens it once, runs the plans in order, and exits when the parent
 * disconnects.
 */
export function serveContender<S>(open: (setup: S) => Promise<OpenContender>): void {
  let contender: OpenContender | undefined;
  const handle = async ({ setup, plan }: { setup?: S; plan?: RunPlan }): Promise<object> => {
    if (setup !== undefined) contender = await open(setup);
    if (plan === undefined || contender === undefined) return { ready: true };
    await contender.beforeRun?.(plan);
    try {
      return { sample: await measure(contender.produce, plan) };
    } finally {
      contender.afterRun?.();
    }
  };
  process.on('message', (message: { setup?: S; plan?: RunPlan }) => {
    void handle(message)
      .catch((error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }))
      .then((reply) => process.send?.(reply));
  });
  process.once('disconnect', () => {
    const closing = contender?.close?.() ?? Promise.resolve();
    void closing.finally(() => process.exit(0));
  });
}

async function measure(produce: Produce, { forMs, minDocuments, concurrency }: RunPlan): Promise<Sample> {
  const latenciesMs: number[] = [];
  let sizeBytes = 0;
  let started = 0;
  const usedBefore = process.cpuUsage();
  const startedAt = performance.now();
  const callRepeatedly = async (caller: number): Promise<void> => {
    while (started < minDocuments || performance.now() - startedAt < forMs) {
      started += 1;
      const calledAt = performance.now();
      const size = produce(caller);
      // Avoids the event loop for synchronous contenders.
      sizeBytes = typeof size === 'number' ? size : await size;
      latenciesMs.push(Math.round((performance.now() - calledAt) * 1_000) / 1_000);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, caller) => callRepeatedly(caller)));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(usedBefore);
  return {
    documents: latenciesMs.length,
    seconds,
    perSecond: latenciesMs.length / seconds,
    latenciesMs,
    ownProcessorSeconds: (user + system) / 1_000_000,
    sizeBytes,
  };
}
