import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BenchReport, Figure } from '../harness/report.ts';
import { rounded } from '../harness/statistics.ts';

/** A figure of an earlier run, with the error that separates noise from change. */
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

export interface Comparison {
  readonly name: string;
  readonly verdict: 'as before' | 'better' | 'worse' | 'too noisy' | 'new' | 'missing';
  readonly text: string;
}

/** Runs of the same code differ by up to a tenth, even if the rounds within each agree. */
const smallestShare = 0.15;
/** A single caller waits for the disk twice per document; that time varies by a third between runs. */
const smallestShareAlone = 0.4;
const smallestMs = 0.5;
/** Three standard errors: about three in a thousand comparisons of the same code exceed them. */
const errors = 3;
/** If the margin exceeds this share of the baseline, a run cannot show a relevant change. */
const widestShare = 0.5;

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

/** Compares each figure with the baseline. It is better or worse only beyond the margin of both spreads. */
export function compareWithBaseline(figures: readonly Figure[], baseline: Baseline): Comparison[] {
  const known = new Map(baseline.figures.map((each) => [each.name, each]));
  const compared = figures.map((one) => {
    const before = known.get(one.name);
    known.delete(one.name);
    return before === undefined ? { name: one.name, verdict: 'new' as const, text: '' } : compare(one, before);
  });
  return [...compared, ...[...known.keys()].map((name) => ({ name, verdict: 'missing' as const, text: '' }))];
}

function compare(now: Figure, before: BaselineFigure): Comparison {
  const { name, unit } = now;
  const share = /\b1 at a time\b/.test(name) ? smallestShareAlone : smallestShare;
  const smallest = Math.max(share * Math.abs(before.median), unit === 'ms' ? smallestMs : 0);
  const margin = Math.max(smallest, errors * Math.hypot(before.error, errorOf(now)));
  const gain = unit === 'times' ? now.median - before.median : before.median - now.median;
  const text = `${now.median.toFixed(2)} ${unit}, was ${before.median.toFixed(2)}, margin ${margin.toFixed(2)}`;
  if (gain < -margin) return { name, verdict: 'worse', text };
  if (gain > margin) return { name, verdict: 'better', text };
  const widest = Math.max(widestShare * Math.abs(before.median), unit === 'ms' ? 2 * smallestMs : 0);
  return { name, verdict: margin > widest ? 'too noisy' : 'as before', text };
}

/**
 * The standard error of a median, 1.253 sigma / sqrt(n). sigma comes from the quartiles, which a single bad round does
 * not affect.
 */
function errorOf({ lowerQuartile, upperQuartile, samples }: Figure): number {
  return (1.253 * (upperQuartile - lowerQuartile)) / 1.349 / Math.sqrt(Math.max(1, samples.length));
}
