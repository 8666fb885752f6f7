import type { Figure } from '../harness/report.ts';
import { type Baseline, type BaselineFigure, errorOf } from './baseline.ts';

export interface Judgement {
  readonly name: string;
  readonly verdict: 'as before' | 'better' | 'worse' | 'too noisy' | 'new' | 'missing';
  readonly text: string;
}

/** Runs of the same code differ by up to a tenth, however steady each is in itself. */
const smallestShare = 0.15;
/** One caller waits for the disk twice a document: what that takes differs by a third from one run to the next. */
const smallestShareAlone = 0.4;
const smallestMs = 0.5;
/** Three standard errors: of a thousand comparisons of the same code some three pass it, in either direction. */
const errors = 3;
/** With a margin above this share of the baseline a run says nothing about changes that matter. */
const widestShare = 0.5;

/** Holds each figure against the baseline; a figure is worse when it is so by more than the margin of both spreads. */
export function judge(figures: readonly Figure[], baseline: Baseline): Judgement[] {
  const known = new Map(baseline.figures.map((each) => [each.name, each]));
  const judged = figures.map((one) => {
    const before = known.get(one.name);
    known.delete(one.name);
    return before === undefined ? { name: one.name, verdict: 'new' as const, text: '' } : compare(one, before);
  });
  return [...judged, ...[...known.keys()].map((name) => ({ name, verdict: 'missing' as const, text: '' }))];
}

function compare(now: Figure, before: BaselineFigure): Judgement {
  const { name, unit } = now;
  const share = /\b1 at a time\b/.test(name) ? smallestShareAlone : smallestShare;
  const smallest = Math.max(share * Math.abs(before.median), unit === 'ms' ? smallestMs : 0);
  const margin = Math.max(smallest, errors * Math.hypot(before.error, errorOf(now)));
  const gain = unit === 'times' ? now.median - before.median : before.median - now.median;
  const of = unit === 'times' ? 'times' : unit;
  const text = `${now.median.toFixed(2)} ${of}, was ${before.median.toFixed(2)}, margin ${margin.toFixed(2)}`;
  if (gain < -margin) return { name, verdict: 'worse', text };
  if (gain > margin) return { name, verdict: 'better', text };
  const widest = Math.max(widestShare * Math.abs(before.median), unit === 'ms' ? 2 * smallestMs : 0);
  return { name, verdict: margin > widest ? 'too noisy' : 'as before', text };
}
