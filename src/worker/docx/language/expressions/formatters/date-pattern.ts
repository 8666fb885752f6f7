import type { RenderContext } from '../../render-context.ts';
import type { ReadDate } from './read-date.ts';

const piece = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g;

type Part = Intl.DateTimeFormatPartTypes;
type Field = (date: ReadDate, context: RenderContext) => string;

const fields: Readonly<Record<string, Field>> = {
  yyyy: number('year', { year: 'numeric' }, 4),
  yy: (date, context) => number('year', { year: 'numeric' }, 4)(date, context).slice(-2),
  MMMM: name('month', { day: 'numeric', month: 'long' }),
  MMM: name('month', { day: 'numeric', month: 'short' }),
  MM: number('month', { month: 'numeric' }, 2),
  M: number('month', { month: 'numeric' }, 1),
  dd: number('day', { day: 'numeric' }, 2),
  d: number('day', { day: 'numeric' }, 1),
  EEEE: name('weekday', { weekday: 'long' }),
  EEE: name('weekday', { weekday: 'short' }),
  HH: number('hour', { hour: 'numeric', hourCycle: 'h23' }, 2),
  H: number('hour', { hour: 'numeric', hourCycle: 'h23' }, 1),
  hh: number('hour', { hour: 'numeric', hourCycle: 'h12' }, 2),
  h: number('hour', { hour: 'numeric', hourCycle: 'h12' }, 1),
  mm: number('minute', { minute: 'numeric' }, 2),
  m: number('minute', { minute: 'numeric' }, 1),
  ss: number('second', { second: 'numeric' }, 2),
  s: number('second', { second: 'numeric' }, 1),
  a: name('dayPeriod', { hour: 'numeric', hourCycle: 'h12' }),
};
const aliases: Readonly<Record<string, string>> = { YYYY: 'yyyy', YY: 'yy', DD: 'dd', D: 'd' };
const timeFields = /^(?:H|h|m|s|a)/;

function fieldOf(letters: string): Field | undefined {
  const letter = aliases[letters] ?? letters;
  return Object.hasOwn(fields, letter) ? fields[letter] : undefined;
}

/** The problem of an invalid pattern, as "must …"; undefined if it is valid. */
export function patternProblem(pattern: string): string | undefined {
  for (const [text, , letter] of pattern.matchAll(piece)) {
    if (text === "'") return 'must close its single quotes';
    if (letter !== undefined && fieldOf(text) === undefined)
      return `must be a style or a pattern such as "dd.MM.yyyy"; "${text.slice(0, 20)}" is neither`;
  }
  return undefined;
}

/** Whether a pattern prints a time of day. */
export function hasTime(pattern: string): boolean {
  return [...pattern.matchAll(piece)].some(([text, , letter]) => letter !== undefined && timeFields.test(text));
}

export function formatPattern(pattern: string, date: ReadDate, context: RenderContext): string {
  let out = '';
  for (const [text, quoted, letter] of pattern.matchAll(piece)) {
    if (quoted !== undefined) out += quoted === '' ? "'" : quoted.replaceAll("''", "'");
    else out += letter === undefined ? text : (fieldOf(text)?.(date, context) ?? text);
  }
  return out;
}

/** A numeric field of the ISO 8601 calendar. */
function number(type: Part, options: Intl.DateTimeFormatOptions, width: number): Field {
  return (date, context) => partOf('en-u-ca-iso8601-nu-latn', type, options, date, context).padStart(width, '0');
}

/** A name in the render's locale, in the form used next to a day. */
function name(type: Part, options: Intl.DateTimeFormatOptions): Field {
  return (date, context) => partOf(context.locale, type, options, date, context);
}

function partOf(
  locale: string,
  type: Part,
  options: Intl.DateTimeFormatOptions,
  { epochMs, timeZone }: ReadDate,
  context: RenderContext,
): string {
  const key = `part ${locale} ${timeZone} ${JSON.stringify(options)}`;
  const format = context.cached(key, () => new Intl.DateTimeFormat(locale, { ...options, timeZone }));
  return format.formatToParts(epochMs).find((part) => part.type === type)?.value ?? '';
}
