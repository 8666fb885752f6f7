import { rounded } from '../harness/statistics.ts';

/** Total seconds and number of executions of each stage, summed over the processes. */
export type StageCounts = ReadonlyMap<string, { readonly seconds: number; readonly count: number }>;

const line = /^docmill_stage_duration_seconds_(sum|count)\{stage="([^"]+)"\} (\S+)$/gm;

/** Reads `docmill_stage_duration_seconds` from the metrics of these processes. */
export async function readStages(operationsUrls: readonly string[]): Promise<StageCounts> {
  const stages = new Map<string, { seconds: number; count: number }>();
  for (const url of operationsUrls) {
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const [, what, name = '', value] of text.matchAll(line)) {
      const stage = stages.get(name) ?? { seconds: 0, count: 0 };
      if (what === 'sum') stage.seconds += Number(value);
      else stage.count += Number(value);
      stages.set(name, stage);
    }
  }
  return stages;
}

/** Mean milliseconds of each stage between two readings; stages that did not run are left out. */
export function meanStages(before: StageCounts, after: StageCounts): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Array.from(after, ([name, { seconds, count }]): [string, number] => {
      const earlier = before.get(name) ?? { seconds: 0, count: 0 };
      return [name, ((seconds - earlier.seconds) * 1_000) / (count - earlier.count)];
    })
      .filter(([, ms]) => Number.isFinite(ms))
      .map(([name, ms]) => [name, rounded(ms, 3)]),
  );
}
