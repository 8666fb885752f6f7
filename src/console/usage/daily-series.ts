import type { components } from '@docmill/client';
import { daysOf, type UsageRange } from './usage-range.ts';

type Group = components['schemas']['UsageGroup'];

export interface Day {
  readonly day: string;
  /** Documents, by series in their order. */
  readonly parts: readonly number[];
  readonly documents: number;
  readonly failures: number;
}

export interface DailySeries {
  /** Ids of templates; undefined for all others, or for all when the usage is by day alone. */
  readonly series: readonly (string | undefined)[];
  readonly days: readonly Day[];
}

/** As many as there are colours that differ enough. */
const maxSeries = 6;

/**
 * What is drawn for each day of a range, those without documents too. Refunds can make a day negative: it is drawn as none. The series
 * with the most documents is first, at the bottom; templates beyond the sixth are drawn together.
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

/** Which of `count` labels are shown when each needs `labelPx` of `widthPx`: every n-th, the last one among them. */
export function shownLabels(count: number, widthPx: number, labelPx: number): ReadonlySet<number> {
  const every = Math.max(1, Math.ceil((count * labelPx) / Math.max(widthPx, 1)));
  const shown = new Set<number>();
  for (let index = count - 1; index >= 0; index -= every) shown.add(index);
  return shown;
}
