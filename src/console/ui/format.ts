const numbers = new Intl.NumberFormat();
const percents = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

export const formatNumber = (value: number): string => numbers.format(value);
/** `1 page`, `1,200 pages`. */
export const formatCount = (value: number, one: string, many: string): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;
/** 0.034 as `3.4%`. */
export const formatShare = (share: number): string => percents.format(share);
export const formatDate = (iso: string): string => dates.format(new Date(iso));
export const formatTime = (iso: string): string => times.format(new Date(iso));

/** Decimal units (powers of 1,000): `931 bytes`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1_000 ** power);
}

/** `82 ms`, `1.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `5 minutes ago`; the date after 30 days. */
export function formatAge(iso: string, nowMs = Date.now()): string {
  const ageMs = Date.parse(iso) - nowMs;
  if (Math.abs(ageMs) > 30 * 86_400_000) return formatDate(iso);
  for (const [unit, unitMs] of steps) {
    if (Math.abs(ageMs) >= unitMs) return relative.format(Math.trunc(ageMs / unitMs), unit);
  }
  return relative.format(Math.trunc(ageMs / 1_000), 'second');
}
