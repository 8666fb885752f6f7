import { stageNames } from '../../src/shared/stages.ts';
import { median, quantile } from '../harness/statistics.ts';
import type { Turnout, Turnouts } from './compare.ts';

/** For people: what each side came to, and where the service's processor time went; medians over the rounds. */
export function tableOf(all: ReadonlyMap<string, Turnouts>): string[] {
  const worst = Math.max(
    ...[...all.values()].flatMap((turnouts) => [...turnouts.values()].flat()).map((turn) => turn.foreignShare),
  );
  return [
    ...[...all].flatMap(([name, turnouts]) => [name, ...Array.from(turnouts, ([side, turns]) => lineOf(side, turns))]),
    `others had at most ${(worst * 100).toFixed(0)} % of the machine in a turn`,
  ];
}

function lineOf(side: string, turns: readonly Turnout[]): string {
  const of = (read: (turn: Turnout) => number, digits: number): string => median(turns.map(read)).toFixed(digits);
  const parts = [...new Set(turns.flatMap((turn) => Object.keys(turn.processorMsPerDocument)))];
  const used = parts.map((part) => `${part} ${of((turn) => turn.processorMsPerDocument[part] ?? 0, 2)}`);
  const latency = (share: number): string => of(({ latenciesMs }) => quantile(latenciesMs, share), 2);
  const rate = `${of((turn) => turn.perSecond, 1)}/s, median ${latency(0.5)} ms, p95 ${latency(0.95)} ms`;
  const stages = [...new Set(turns.flatMap((turn) => Object.keys(turn.stageMs)))];
  const spent = stageNames
    .filter((stage) => stages.includes(stage))
    .map((stage) => `${stage} ${of((turn) => turn.stageMs[stage] ?? 0, 2)}`);
  const told = [
    `  ${side}: ${rate}`,
    ...(used.length > 0 ? [`    processor ms a document: ${used.join(', ')}`] : []),
    ...(spent.length > 0 ? [`    ms a stage: ${spent.join(', ')}`] : []),
  ];
  return told.join('\n');
}
