import type { components } from '@docmill/client';
import { daysOf, type UsageRange } from './usage-range.ts';

type Group = components['schemas']['UsageGroup'];

export interface Day {
  readonly day: string;
  /** Numbers of documents, in the order of the series. */
  readonly parts: readonly number[];
  readonly documents: number;
  readonly failures: number;
}

export interface DailySeries {
  /** Template ids; undefined for all others, or for everything if usage is grouped by day alone. */
  readonly series: readonly (string | undefined)[];
  readonly days: readonly Day[];
}

/** The number of colours that are distinct enough. */
const maxSeries = 6;

/**
 * The chart data for each day of a range, including empty days. Refunds can make a day negative; it is drawn as zero.
 * The series with the most documents comes first, at the bottom; templates after the sixth are combined.
 */
export function dailySeries(range: UsageRange, groups: readonly Group[]): DailySeries {
  const totals = new Map<string | undefined, number>();
  for (const { templateId, documents } of groups) totals.set(templateId, (totals.get(templateId) ?? 0) + documents);
  const named = [...totals].filter(([id]) => id !== undefined).sort(([, a], [, b]) => b - a);
  const hasOthers = totals.has(undefined) || named.length === 0 || named.length > maxSeries;
  const series = [...named.slice(0, maxSeries).map(([id]) => id), ...(hasOthers ? [undefined] : [])];
  const place = new Map(series.map((id, index) => [id, index]));
  const byDay = new Map<string, { parts: number[]; failures: number }>();
  for (const { day, templateId, documents, failures } of groups) {
    if (day === undefined) continue;
    const found = byDay.get(day) ?? { parts: series.map(() => 0), failures: 0 };
    const index = place.get(templateId) ?? series.length - 1;
    found.parts[index] = (found.parts[index] ?? 0) + Math.max(0, documents);
    found.failures += failures;
    byDay.set(day, found);
  }
  const days = daysOf(range).map((day): Day => {
    const { parts, failures } = byDay.get(day) ?? { parts: series.map(() => 0), failures: 0 };
    return { day, parts, failures, documents: parts.reduce((sum, part) => sum + part, 0) };
  });
  return { series, days };
}

/** The labels, out of `count`, that fit into `widthPx` at `labelPx` each: every n-th, including the last. */
export function shownLabels(count: number, widthPx: number, labelPx: number): ReadonlySet<number> {
  const every = Math.max(1, Math.ceil((count * labelPx) / Math.max(widthPx, 1)));
  const shown = new Set<number>();
  for (let index = count - 1; index >= 0; index -= every) shown.add(index);
  return shown;
}
