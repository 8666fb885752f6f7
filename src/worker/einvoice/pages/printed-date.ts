import { type Conventions, plain } from './conventions.ts';
import type { PrintedWord } from './read-printed-pages.ts';

export interface DateToken {
  readonly words: readonly PrintedWord[];
  readonly text: string;
  /** Such as `2026-03-31`. */
  readonly value: string;
}

const ordinal = '(?:\\.|st|nd|rd|th|er|e|o|a|°)?';

const month = '(\\p{L}{3,12})\\.?';

/** The year is no part of an amount. */
const yearEnd = '(?!\\d|[.,]\\d)';

const datePatterns: readonly [RegExp, order: readonly ('y' | 'm' | 'd' | 'x')[]][] = [
  [/(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/gu, ['y', 'm', 'd']],
  [/(?<![\d.,])(\d{1,2}) ?[./-] ?(\d{1,2}) ?[./-] ?(\d{4}|\d{2})(?![\d]|[.,]\d)/gu, ['x', 'x', 'y']],
  [
    new RegExp(`(?<!\\d)(\\d{1,2})${ordinal} ?(?:de |di )?${month},? ?(?:de |del )?(\\d{4}|\\d{2})${yearEnd}`, 'gu'),
    ['d', 'm', 'y'],
  ],
  [/(?<!\d)(\d{1,2})-(\p{L}{3,12})\.?-(\d{4}|\d{2})(?!\d)/gu, ['d', 'm', 'y']],
  [new RegExp(`(?<!\\p{L})${month} (\\d{1,2})${ordinal},? (\\d{4})${yearEnd}`, 'gu'), ['m', 'd', 'y']],
];

/** What stands between the ends of a range. */
const until = '(?:[-–—]|bis zum|bis|au|al|to|through|until|till|t/m|tot|a)';

/** The start of a range in front of its end, which has the month or the year of both: day first, and month first. */
const dayFirstStart = new RegExp(`(?<![\\d.,/])(\\d{1,2})(?:[./] ?(\\d{1,2}))?[./]? ?${until} ?$`, 'u');

const monthFirstStart = new RegExp(`(?<![\\d.,/])(\\d{1,2})[/] ?(\\d{1,2}) ?${until} ?$`, 'u');

const namedStart = new RegExp(`(?<![\\d.,/])(\\d{1,2})${ordinal} ?(?:de |di )?(?:${month})? ?${until} ?$`, 'u');

const monthFirstRange = new RegExp(
  `(?<!\\p{L})${month} (\\d{1,2})${ordinal} ?${until} ?(?:${month} )?(\\d{1,2})${ordinal},? (\\d{4})${yearEnd}`,
  'gu',
);

const maxStartChars = 40;

/** The dates in a row of words, with those of ranges such as `01.–31.03.2026`. */
export function readDates(words: readonly PrintedWord[], conventions: Conventions): readonly DateToken[] {
  const { isDayFirst, months } = conventions;
  const { row, ends } = joined(words);
  const monthOf = (text: string): number => (/^\d/.test(text) ? Number(text) : (months.get(text) ?? 0));
  const toDate = (at: number, text: string, [year, monthNumber, day]: Day): readonly DateToken[] => {
    if (monthNumber < 1 || monthNumber > 12 || day < 1 || day > 31) return [];
    const own = wordsAt(words, ends, at, text);
    return [{ words: own, text: own.map((word) => word.text).join(' '), value: isoOf([year, monthNumber, day]) }];
  };
  const single = datePatterns.flatMap(([pattern, order]) =>
    matchesIn(row, pattern).flatMap((match) => {
      const fields = match.slice(1);
      const numeric = isDayFirst ? (['d', 'm', 'y'] as const) : (['m', 'd', 'y'] as const);
      const names = order[0] === 'x' ? numeric : order;
      const field = (name: 'y' | 'm' | 'd'): string => fields[names.indexOf(name)] ?? '';
      const year = field('y').length === 2 ? 2000 + Number(field('y')) : Number(field('y'));
      const date: Day = [year, monthOf(field('m')), Number(field('d'))];
      const found = toDate(match.index, match[0], date);
      if (found.length === 0 || order[0] === 'y' || order[0] === 'm') return found;
      const before = row.slice(Math.max(0, match.index - maxStartChars), match.index);
      const start = startOf(before, date, { isNamed: order[0] === 'd', isDayFirst, monthOf });
      if (start === undefined) return found;
      return [...toDate(match.index - start.text.length, start.text, start.date), ...found];
    }),
  );
  const ranges = matchesIn(row, monthFirstRange).flatMap((match) => {
    const [text, first = '', from, second, to, year] = match;
    const end: Day = [Number(year), monthOf(second ?? first), Number(to)];
    const start = notAfter([Number(year), monthOf(first), Number(from)], end);
    return [...toDate(match.index, text, start), ...toDate(match.index, text, end)];
  });
  return [...single, ...ranges];
}

type Day = readonly [year: number, month: number, day: number];

const isoOf = ([year, monthNumber, day]: Day): string =>
  `${year}-${String(monthNumber).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** The start of a range without a year, which is that of its end or the one before. */
const notAfter = (start: Day, end: Day): Day =>
  isoOf(start) <= isoOf(end) ? start : [start[0] - 1, start[1], start[2]];

function startOf(
  before: string,
  end: Day,
  {
    isNamed,
    isDayFirst,
    monthOf,
  }: { readonly isNamed: boolean; readonly isDayFirst: boolean; monthOf(text: string): number },
): { readonly text: string; readonly date: Day } | undefined {
  const match = (isNamed ? namedStart : isDayFirst ? dayFirstStart : monthFirstStart).exec(before);
  if (match === null) return undefined;
  const [day, own] = isNamed || isDayFirst ? [match[1], match[2]] : [match[2], match[1]];
  const start: Day = [end[0], own === undefined ? end[1] : monthOf(own), Number(day)];
  return start[1] === 0 ? undefined : { text: match[0], date: notAfter(start, end) };
}

const alone = '(?<!\\d(?:\\.|st|nd|rd|th|er|°)? ?(?:de |di )?)(?<!\\p{L})';

const namedMonth = new RegExp(`${alone}${month},? (?:de |del )?(\\d{4})${yearEnd}`, 'gu');

const namedMonths = new RegExp(`${alone}${month} ?${until} ?${month} (?:de |del )?(\\d{4})${yearEnd}`, 'gu');

const numericMonth = /(?<![\d./-] ?)(\d{1,2}) ?[/.] ?(\d{4})(?![\d]|[.,/-]\d)/gu;

/** The months in a row of words that stand without a day, such as `März 2026`: `2026-03`. */
export function readMonths(words: readonly PrintedWord[], { months }: Conventions): readonly string[] {
  const { row } = joined(words);
  const toMonth = (year = '', number = 0): readonly string[] =>
    number < 1 || number > 12 ? [] : [`${year}-${String(number).padStart(2, '0')}`];
  return [
    ...matchesIn(row, namedMonth).flatMap(([, name = '', year]) => toMonth(year, months.get(name))),
    ...matchesIn(row, namedMonths).flatMap(([, name = '', , year]) => toMonth(year, months.get(name))),
    ...matchesIn(row, numericMonth).flatMap(([, number, year]) => toMonth(year, Number(number))),
  ];
}

/** All matches, also those that begin within another, as the end of `1. bis 31. März 2026` does. */
function matchesIn(row: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  const own = new RegExp(pattern);
  for (let match = own.exec(row); match !== null; match = own.exec(row)) {
    found.push(match);
    own.lastIndex = match.index + 1;
  }
  return found;
}

interface JoinedRow {
  readonly row: string;
  /** Where each word ends. */
  readonly ends: readonly number[];
}

function joined(words: readonly PrintedWord[]): JoinedRow {
  const texts = words.map(({ text }) => plain(text));
  let end = -1;
  const ends = texts.map((text) => {
    end += text.length + 1;
    return end;
  });
  return { row: texts.join(' '), ends };
}

function wordsAt(
  words: readonly PrintedWord[],
  ends: readonly number[],
  at: number,
  text: string,
): readonly PrintedWord[] {
  const first = ends.findIndex((end) => end > at);
  const last = ends.findIndex((end) => end >= at + text.trimEnd().length);
  return words.slice(first, last + 1);
}
