import { isDisplayName } from '../shared/display-name.ts';
import { isScope, type Scope, scopeMeanings } from '../shared/domain/api-keys/scopes.ts';
import { engineVersion } from '../shared/engine-version.ts';
import { type Options, UsageError } from './parse-command.ts';

const maxCount = 1_000_000_000;
const maxTextChars = 200;

function readText(options: Options, name: string): string {
  const value = options.get(name)?.trim() ?? '';
  // A character has at most two UTF-16 units, so the characters of a longer string need not be counted.
  if (value === '' || value.length > 2 * maxTextChars || [...value].length > maxTextChars)
    throw new UsageError(`--${name} must be 1 to ${maxTextChars} characters`);
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

/** Reads one of several words. Default: the first. */
export function readChoice(options: Options, name: string, choices: readonly string[]): string | undefined {
  const value = options.get(name) ?? choices[0];
  if (value === undefined || !choices.includes(value))
    throw new UsageError(`--${name} must be ${choices.join(' or ')}`);
  return value;
}

/** One of several words. */
export function readOneOf<Choice extends string>(options: Options, name: string, choices: readonly Choice[]): Choice {
  const value = options.get(name);
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new UsageError(`--${name} must be ${choices.join(', ')}`);
  return choice;
}

/** Reads the page size. Default: 100. */
export const readLimit = (options: Options): number =>
  options.has('limit') ? readCount(options, 'limit', 1, 1_000) : 100;

/** Reads a major and minor version, such as 25.2. */
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

/** What an id identifies, by its prefix. */
const idKinds = {
  acc: 'an account',
  key: 'an API key',
  tpl: 'a template',
  doc: 'a document',
  bat: 'a batch',
  dlv: 'an e-mail delivery',
  wrk: 'a worker',
  ins: 'an installation',
  opk: 'an operator key',
} as const;

/** Reads an id of the given kind. */
export function readId(options: Options, name: string, kind: keyof typeof idKinds): string {
  const value = options.get(name)?.trim() ?? '';
  if (!new RegExp(`^${kind}_[0-9a-z]{1,60}$`).test(value))
    throw new UsageError(`--${name} must be the id of ${idKinds[kind]}, which begins with ${kind}_`);
  return value;
}

/** Reads the fingerprint of a document, in hex. */
export function readFingerprint(options: Options, name: string): string {
  const value = options.get(name)?.trim() ?? '';
  if (!/^[0-9a-f-]{1,64}$/.test(value))
    throw new UsageError(`--${name} must be hexadecimal digits, as list-quarantine shows them`);
  return value;
}

/** Reads a display name: 1 to 200 characters on one line, at least one of them visible. */
export function readName(options: Options, name: string): string {
  const value = readText(options, name);
  if (!isDisplayName(value)) {
    throw new UsageError(`--${name} must be visible text on one line, without control or invisible characters`);
  }
  return value;
}

/** Reads `on` or `off`. */
export function readSwitch(options: Options, name: string): boolean {
  const value = readText(options, name);
  if (value !== 'on' && value !== 'off') throw new UsageError(`--${name} must be on or off`);
  return value === 'on';
}

/** Reads a comma-separated list of API key scopes without duplicates. */
export function readScopeList(options: Options, name: string): readonly Scope[] {
  const names = readText(options, name)
    .split(',')
    .map((each) => each.trim());
  const known = Object.keys(scopeMeanings).join(', ');
  const scopes = names.map((each) => {
    if (!isScope(each)) throw new UsageError(`--${name} must be a list of ${known}, separated by commas`);
    return each;
  });
  return [...new Set(scopes)];
}

const unitsMs: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Reads a duration such as 90s, 30m, 24h or 7d. Returns milliseconds. */
export function readDuration(options: Options, name: string, maxMs: number): number {
  const [, digits = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(options.get(name)?.trim() ?? '') ?? [];
  const ms = Number(digits) * (unitsMs.get(unit) ?? Number.NaN);
  if (Number.isNaN(ms) || ms > maxMs)
    throw new UsageError(`--${name} must be a duration like 30m, 24h or 7d, at most ${maxMs / 86_400_000}d`);
  return ms;
}

/** ISO 8601 allows four digits for a year. */
const firstUnprintableMs = Date.UTC(10_000, 0);

/** Reads a day (UTC) of this millennium as an ISO 8601 string. */
export function readDate(options: Options, name: string): string {
  const value = options.get(name) ?? '';
  const isDay = /^2\d{3}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  if (!isDay || !new Date(value).toISOString().startsWith(value))
    throw new UsageError(`--${name} must be a date such as 2026-11-30`);
  return value;
}

/** Reads a future ISO 8601 time. A date means the end of that day (UTC). */
export function readTime(options: Options, name: string): Date | undefined {
  const time = parseTime(options, name, 'T23:59:59.999Z');
  if (time === undefined) return undefined;
  if (time.getTime() >= firstUnprintableMs) throw new UsageError(`--${name} must be before the year 10000`);
  if (time.getTime() <= Date.now()) throw new UsageError(`--${name} must be in the future`);
  return time;
}

/** Reads an ISO 8601 time. A date means the beginning of that day (UTC). */
export function readPastTime(options: Options, name: string): Date | undefined {
  return parseTime(options, name, 'T00:00:00.000Z');
}

function parseTime(options: Options, name: string, timeOfDay: string): Date | undefined {
  const value = options.get(name);
  if (value === undefined) return undefined;
  const text = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}${timeOfDay}` : value;
  const time = new Date(text);
  // JavaScript parses 31 February as 3 March.
  const day = text.slice(0, 10);
  const isDay = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  const hasZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  if (!hasZone || !isDay || Number.isNaN(time.getTime())) {
    throw new UsageError(
      `--${name} must be an ISO 8601 date or date and time with its zone, like 2027-01-31 or 2027-01-31T12:00:00Z`,
    );
  }
  return time;
}
