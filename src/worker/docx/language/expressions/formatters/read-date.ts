/** A point in time, and the time zone in which it is shown. */
export interface ReadDate {
  readonly epochMs: number;
  readonly timeZone: string;
}

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const maxEpochMs = 8.64e15;

/**
 * Parses ISO 8601 and Unix time in milliseconds. Only a time with a UTC offset is converted to the time zone of the render;
 * a date, or a time without an offset, is shown unchanged.
 */
export function readDate(value: unknown, timezone: string): ReadDate | undefined {
  if (typeof value === 'number') {
    return Math.abs(value) <= maxEpochMs ? { epochMs: value, timeZone: timezone } : undefined;
  }
  const found = typeof value === 'string' && value.length <= 40 ? iso.exec(value.trim()) : null;
  if (found === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone] = found;
  const parts = [Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second)] as const;
  const epochMs = toEpoch(parts, Number(`0.${fraction}`) * 1000);
  if (epochMs === undefined) return undefined;
  if (zone === undefined) return { epochMs, timeZone: 'UTC' };
  const offset = offsetMinutes(zone);
  return offset === undefined ? undefined : { epochMs: epochMs - offset * 60_000, timeZone: timezone };
}

type Parts = readonly [year: number, month: number, day: number, hour: number, minute: number, second: number];

function toEpoch([year, month, day, hour, minute, second]: Parts, milliseconds: number): number | undefined {
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && minute + second > 0)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, Math.min(second, 59), Math.trunc(milliseconds));
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2)) * (zone.length > 3 ? 1 : 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
