import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BenchReport, Figure } from '../harness/report.ts';
import { rounded } from '../harness/statistics.ts';

/** A figure of an earlier run, with what is needed to tell noise from change. */
export interface BaselineFigure {
  readonly name: string;
  readonly unit: Figure['unit'];
  readonly median: number;
  /** Standard error of the median. */
  readonly error: number;
}

export interface Baseline {
  readonly begunAt: string;
  readonly commit: string;
  readonly machine: BenchReport['machine'];
  readonly versions: BenchReport['versions'];
  readonly figures: readonly BaselineFigure[];
}

const file = fileURLToPath(new URL('../baseline.json', import.meta.url));

export function readBaseline(): Baseline | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Baseline) : undefined;
}

export function writeBaseline({ begunAt, commit, machine, versions, figures }: BenchReport): void {
  const kept = figures.map((one) => {
    const { name, unit, median } = one;
    return { name, unit, median: rounded(median), error: rounded(errorOf(one)) };
  });
  const baseline: Baseline = { begunAt, commit: commit.hash, machine, versions, figures: kept };
  writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`);
}

/** Standard error of a median: 1.253 sigma / sqrt(n), with sigma told by the quartiles, which a single bad round leaves alone. */
export function errorOf({ lowerQuartile, upperQuartile, samples }: Figure): number {
  return (1.253 * (upperQuartile - lowerQuartile)) / 1.349 / Math.sqrt(Math.max(1, samples.length));
}
