import { asText } from '../as-text.ts';
import type { Formatter, FormatterCall } from '../formatter.ts';
import { describeType } from '../value-problem.ts';
import { formatPattern, hasTime, patternProblem } from './date-pattern.ts';
import { type ReadDate, readDate } from './read-date.ts';

const styles = ['short', 'medium', 'long', 'full'] as const;
type Style = (typeof styles)[number];

function styleOf(text: string): Style | undefined {
  return styles.find((style) => style === text);
}

function check(value: unknown): string | undefined {
  const text = asText(value) ?? '';
  if (text === '') return 'must not be empty';
  if (text.length > 200) return 'must be shorter than 200 characters';
  return styleOf(text) === undefined ? patternProblem(text) : undefined;
}

function read(value: unknown, call: FormatterCall): ReadDate {
  const date = readDate(value, call.context.timezone);
  if (date !== undefined) return date;
  const reason = typeof value === 'string' ? 'is not a date' : describeType(value);
  return call.fail(`${reason}; write a date as 2026-03-31 or 2026-03-31T14:30:00Z`);
}

type Options = (style: Style) => Intl.DateTimeFormatOptions;

function dateFormatter(fallback: Style, options: Options, defaultKind: 'date' | 'date-time'): Formatter {
  return {
    takes: 'date',
    gives: 'text',
    parameters: [{ name: 'style', type: 'text', isOptional: true, example: 'long', check }],
    dateKind: (argument) =>
      typeof argument === 'string' && styleOf(argument) === undefined && hasTime(argument) ? 'date-time' : defaultKind,
    apply: (input, args, call) => {
      if (input === '') return null;
      const date = read(input, call);
      const { context } = call;
      const styleOrPattern = args.text(0, fallback);
      const style = styleOf(styleOrPattern);
      if (style === undefined) return formatPattern(styleOrPattern, date, context);
      const { locale } = context;
      const key = `${defaultKind} ${fallback} ${style} ${date.timeZone}`;
      const make = () => new Intl.DateTimeFormat(locale, { ...options(style), timeZone: date.timeZone });
      return context.cached(key, make).format(date.epochMs);
    },
  };
}

export const dateFormatters: Readonly<Record<string, Formatter>> = {
  date: dateFormatter('medium', (style) => ({ dateStyle: style }), 'date'),
  time: dateFormatter('short', (style) => ({ timeStyle: style }), 'date-time'),
  datetime: dateFormatter(
    'medium',
    (style) => ({ dateStyle: style, timeStyle: style === 'full' || style === 'long' ? 'long' : 'short' }),
    'date-time',
  ),
};
