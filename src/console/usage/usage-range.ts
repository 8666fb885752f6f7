export interface UsageRange {
  /** Days in UTC, such as `2026-11-01`; both are included. */
  readonly from: string;
  readonly to: string;
}

export const usageFilterNames = ['days', 'from', 'to'] as const;
type Values = Readonly<Record<(typeof usageFilterNames)[number], string>>;

export const rangeDays = [7, 30, 90, 365] as const;
const defaultDays = 30;
const dayMs = 86_400_000;
/** The service's limit for one response. */
const maxDays = 366;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const isDay = (text: string): boolean => /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The days between two dates from the address; an invalid or overlong range becomes the nearest valid one. */
export function toUsageRange({ days, from, to }: Values, nowMs: number): UsageRange {
  if (isDay(from) && isDay(to)) {
    const [first, last] = from <= to ? [from, to] : [to, from];
    const earliest = dayOf(Date.parse(last) - (maxDays - 1) * dayMs);
    return { from: [first, earliest].toSorted().at(-1) ?? first, to: last };
  }
  const count = rangeDays.find((one) => String(one) === days) ?? defaultDays;
  return { from: dayOf(nowMs - (count - 1) * dayMs), to: dayOf(nowMs) };
}

/** The selected option of the range picker: a number of days, or `custom`. */
export function chosenRange({ days, from, to }: Values): string {
  if (from !== '' || to !== '') return 'custom';
  return rangeDays.some((one) => String(one) === days) ? days : String(defaultDays);
}

/** Every day of a range, in order. */
export function daysOf({ from, to }: UsageRange): readonly string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  return Array.from({ length: count }, (_, index) => dayOf(Date.parse(from) + index * dayMs));
}
