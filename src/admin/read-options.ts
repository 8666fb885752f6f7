import { engineVersion } from '../shared/engine-version.ts';
import { type Options, UsageError } from './parse-command.ts';

const maxCount = 1_000_000_000;

export function readText(options: Options, name: string): string {
  const value = options.get(name)?.trim() ?? '';
  if (value === '' || value.length > 200) throw new UsageError(`--${name} must be 1 to 200 characters`);
  return value;
}

const maxPathChars = 4_096;

/** The path of a file or folder. */
export function readPath(options: Options, name: string): string {
  const value = options.get(name) ?? '';
  if (value === '' || value.length > maxPathChars) throw new UsageError(`--${name} must be a path`);
  return value;
}

export function readCount(options: Options, name: string, min = 0, max = maxCount): number {
  const value = options.get(name) ?? '';
  if (!/^\d{1,10}$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`);
  }
  return Number(value);
}

/** A major and minor version, such as 25.2. */
export function readVersion(options: Options, name: string): string {
  const value = readText(options, name);
  if (!engineVersion.test(value)) throw new UsageError(`--${name} must be a version of two numbers, like 25.2`);
  return value;
}

export function readDay(options: Options, name: string): number | undefined {
  const value = options.get(name);
  if (value === undefined) return undefined;
  if (!/^\d{1,2}$/.test(value) || Number(value) < 1 || Number(value) > 31) {
    throw new UsageError(`--${name} must be a day of the month, 1 to 31`);
  }
  return Number(value);
}

/** Characters that a terminal or a report would act on instead of showing: controls, line ends, directions of text. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A name that people read: 1 to 200 characters on one line, at least one of them visible. */
export function readName(options: Options, name: string): string {
  const value = readText(options, name);
  if (unprintable.test(value) || !visible.test(value)) {
    throw new UsageError(`--${name} must be visible text on one line, without control characters`);
  }
  return value;
}

/** An ISO 8601 time in the future, or a date, which means the end of that day (UTC). */
export function readTime(options: Options, name: string): Date | undefined {
  const value = options.get(name);
  if (value === undefined) return undefined;
  const text = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T23:59:59.999Z` : value;
  const time = new Date(text);
  // JavaScript reads 31 February as 3 March.
  const day = text.slice(0, 10);
  const isDay = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  const hasZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  if (!hasZone || !isDay || Number.isNaN(time.getTime())) {
    throw new UsageError(
      `--${name} must be an ISO 8601 date or date and time with its zone, like 2027-01-31 or 2027-01-31T12:00:00Z`,
    );
  }
  if (time.getTime() <= Date.now()) throw new UsageError(`--${name} must be in the future`);
  return time;
}
