import { renderPlain } from '../contenders/docxtemplater.ts';
import type { EngineName } from '../contenders/engines.ts';
import { type ContenderProcess, type Sample, startContender } from '../harness/contender-process.ts';
import { documentOf, wordsOf } from '../harness/documents.ts';
import { atLeast, type Figure, figure } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import { byRound, median } from '../harness/statistics.ts';

export type Samples = ReadonlyMap<string, readonly Sample[]>;

export const plainName: EngineName = 'docxtemplater + pizzip';

/** Fills the invoice with each engine alternately; each engine has its own process and uses one thread. */
export async function measureRender(
  engines: readonly EngineName[],
  rows: number,
  plan: { readonly rounds: number; readonly runMs: number; readonly folder: string },
): Promise<Samples> {
  const { template, data } = documentOf('invoice', rows);
  const words = wordsOf(renderPlain(template, data));
  const { folder, runMs, rounds } = plan;
  const opened: (ContenderProcess & { readonly name: string })[] = [];
  try {
    for (const engine of engines) {
      const module = new URL('../contenders/engine-process.ts', import.meta.url);
      const contender = await startContender(module, { engine, example: 'invoice', rows, folder, words });
      opened.push({ name: engine, ...contender });
    }
    const run = { forMs: runMs, minDocuments: 1, concurrency: 1 };
    for (const contender of opened) await contender.run({ ...run, minDocuments: 2 });
    const contenders = opened.map((contender) => ({ name: contender.name, run: () => contender.run(run) }));
    return await alternate(contenders, rounds);
  } finally {
    for (const contender of opened) await contender.close();
  }
}

/** The speed of each engine relative to docxtemplater with pizzip. */
export function renderFigures(rows: number, samples: Samples): Figure[] {
  const plain = samplesOf(samples, plainName);
  return [...samples]
    .filter(([name]) => name !== plainName)
    .map(([name, runs]) => {
      const times = byRound(runs, plain, (ours, theirs) => msOf(theirs) / msOf(ours));
      const goal = name === 'own, warm' && rows === 10 ? atLeast(2) : undefined;
      return figure(`invoice of ${rows} rows: ${name} / ${plainName}`, 'times', times, goal);
    });
}

/** The median time per document, in milliseconds. */
export function msOf({ latenciesMs }: Sample): number {
  return median(latenciesMs);
}
