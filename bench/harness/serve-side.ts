import type { Sample, Turn } from './side-process.ts';

/** Makes one document and gives its size in bytes. */
export type MakeOne = (lane: number) => Promise<number> | number;

export interface OpenSide {
  readonly make: MakeOne;
  readonly beforeTurn?: (turn: Turn) => Promise<void>;
  readonly afterTurn?: () => void;
  readonly close?: () => Promise<void>;
}

/** The main loop of a side's process: opens once, takes its turns one after the other, ends when its parent lets go. */
export function serveSide<S>(open: (setup: S) => Promise<OpenSide>): void {
  let side: OpenSide | undefined;
  const handle = async ({ setup, turn }: { setup?: S; turn?: Turn }): Promise<object> => {
    if (setup !== undefined) side = await open(setup);
    if (turn === undefined || side === undefined) return { ready: true };
    await side.beforeTurn?.(turn);
    try {
      return { sample: await takeTurn(side.make, turn) };
    } finally {
      side.afterTurn?.();
    }
  };
  process.on('message', (message: { setup?: S; turn?: Turn }) => {
    void handle(message)
      .catch((error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }))
      .then((answer) => process.send?.(answer));
  });
  process.once('disconnect', () => {
    const closing = side?.close?.() ?? Promise.resolve();
    void closing.finally(() => process.exit(0));
  });
}

async function takeTurn(make: MakeOne, { forMs, atLeast, lanes }: Turn): Promise<Sample> {
  const latenciesMs: number[] = [];
  let sizeBytes = 0;
  let begun = 0;
  const usedBefore = process.cpuUsage();
  const startedAt = performance.now();
  const lane = async (index: number): Promise<void> => {
    while (begun < atLeast || performance.now() - startedAt < forMs) {
      begun += 1;
      const begunAt = performance.now();
      const size = make(index);
      // A side that works without waiting is not made to wait for a turn of the event loop.
      sizeBytes = typeof size === 'number' ? size : await size;
      latenciesMs.push(Math.round((performance.now() - begunAt) * 1_000) / 1_000);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
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
