import { median } from '../harness/statistics.ts';
import type { Comparison } from './compare.ts';

interface Turn {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly processorMsPerDocument: Readonly<Record<string, number>>;
}

/** For people: what each side came to, and where the service's processor time went; medians over the rounds. */
export function tableOf(comparisons: ReadonlyMap<string, Comparison>): string[] {
  return [...comparisons].flatMap(([name, { raw }]) => [
    name,
    ...Object.entries(raw).map(([side, turns]) => lineOf(side, turns as Turn[])),
  ]);
}

function lineOf(side: string, turns: readonly Turn[]): string {
  const of = (read: (turn: Turn) => number, digits: number): string => median(turns.map(read)).toFixed(digits);
  const parts = [...new Set(turns.flatMap((turn) => Object.keys(turn.processorMsPerDocument)))];
  const used = parts.map((part) => `${part} ${of((turn) => turn.processorMsPerDocument[part] ?? 0, 2)}`);
  const rate = `${of((turn) => turn.perSecond, 1)}/s, median ${of((turn) => turn.medianMs, 2)} ms, p95 ${of((turn) => turn.p95Ms, 2)} ms`;
  return `  ${side}: ${rate}${used.length > 0 ? `; processor ms a document: ${used.join(', ')}` : ''}`;
}
