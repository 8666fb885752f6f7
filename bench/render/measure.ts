import type { EngineName } from '../contenders/engines.ts';
import { renderPlain } from '../contenders/plain.ts';
import { wordsOf } from '../contenders/text-of.ts';
import { documentOf } from '../harness/documents.ts';
import { atLeast, type Figure, figure } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import { type Sample, type SideProcess, startSide } from '../harness/side-process.ts';
import { byRound, median } from '../harness/statistics.ts';

export type Samples = ReadonlyMap<string, readonly Sample[]>;

export const plainName: EngineName = 'docxtemplater + pizzip';

/** These engines fill the invoice with so many rows, each in a process and on a thread of its own, in turns. */
export async function measureRender(
  engines: readonly EngineName[],
  rows: number,
  plan: { readonly rounds: number; readonly turnMs: number; readonly folder: string },
): Promise<Samples> {
  const { template, data } = documentOf('invoice', rows);
  const words = wordsOf(renderPlain(template, data));
  const { folder, turnMs, rounds } = plan;
  const sides: (SideProcess & { readonly name: string })[] = [];
  try {
    for (const engine of engines) {
      const setup = { engine, example: 'invoice', rows, folder, words };
      sides.push({
        name: engine,
        ...(await startSide(new URL('../contenders/engine-side.ts', import.meta.url), setup)),
      });
    }
    const turn = { forMs: turnMs, atLeast: 1, lanes: 1 };
    for (const side of sides) await side.run({ ...turn, atLeast: 2 });
    const turns = sides.map(({ name, run }) => ({ name, run: () => run(turn) }));
    return await alternate(turns, rounds);
  } finally {
    for (const side of sides) await side.close();
  }
}

/** How many times as fast as docxtemplater with pizzip each engine was. */
export function renderFigures(rows: number, samples: Samples): Figure[] {
  const plain = samplesOf(samples, plainName);
  return [...samples]
    .filter(([name]) => name !== plainName)
    .map(([name, turns]) => {
      const times = byRound(turns, plain, (ours, theirs) => msOf(theirs) / msOf(ours));
      const goal = name === 'own, warm' && rows === 10 ? atLeast(2) : undefined;
      return figure(`invoice of ${rows} rows: ${name} / ${plainName}`, 'times', times, goal);
    });
}

export function msOf({ latenciesMs }: Sample): number {
  return median(latenciesMs);
}
