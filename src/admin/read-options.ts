import { type Options, UsageError } from './parse-command.ts';

const maxCount = 1_000_000_000;

export function readText(options: Options, name: string): string {
  const value = options.get(name)?.trim() ?? '';
  if (value === '' || value.length > 200) throw new UsageError(`--${name} must be 1 to 200 characters`);
  return value;
}

export function readCount(options: Options, name: string, min = 0, max = maxCount): number {
  const value = options.get(name) ?? '';
  if (!/^\d{1,10}$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`);
  }
  return Number(value);
}

export function readDay(options: Options, name: string): number | undefined {
  const value = options.get(name);
  if (value === undefined) return undefined;
  if (!/^\d{1,2}$/.test(value) || Number(value) < 1 || Number(value) > 31) {
    throw new UsageError(`--${name} must be a day of the month, 1 to 31`);
  }
  return Number(value);
}

/** An ISO 8601 time, or a date, which means the end of that day (UTC). */
export function readTime(options: Options, name: string): Date | undefined {
  const value = options.get(name);
  if (value === undefined) return undefined;
  const text = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T23:59:59.999Z` : value;
  const time = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text) || Number.isNaN(time.getTime())) {
    throw new UsageError(
      `--${name} must be an ISO 8601 date or date and time, like 2027-01-31 or 2027-01-31T12:00:00Z`,
    );
  }
  return time;
}
