import { type Conventions, plain } from './conventions.ts';
import type { PrintedWord } from './read-printed-pages.ts';

/** A number on a page. */
export interface NumberToken {
  readonly words: readonly PrintedWord[];
  readonly text: string;
  /** Without leading and trailing zeros, such as `-1234.5`. A percentage has no sign. */
  readonly value: string;
  readonly isPercent: boolean;
  /** Whether a minus is a part of it, as before the percentage of a discount: `-10 %`. */
  readonly hasMinus: boolean;
  readonly hasDecimals: boolean;
  /** The number of digits after the decimal sign. */
  readonly decimals: number;
  /** The currency beside it: a code or a symbol. */
  readonly currency: string | undefined;
}

export interface DateToken {
  readonly words: readonly PrintedWord[];
  readonly text: string;
  /** Such as `2026-03-31`. */
  readonly value: string;
}

/** No number of an invoice is longer. */
const maxDigits = 40;

/** A decimal number in its shortest form. */
export function canonical(number: string): string {
  const text = number.trim();
  if (!/^[-+]?\d*(?:\.\d*)?$/.test(text)) return '0';
  const [whole = '', decimals = ''] = text.replace(/^[-+]/, '').split('.');
  // Loops, because regular expressions for zeros at the end try each place anew.
  let start = 0;
  while (whole[start] === '0') start++;
  let end = decimals.length;
  while (decimals[end - 1] === '0') end--;
  const value = `${whole.slice(start) || '0'}${end === 0 ? '' : `.${decimals.slice(0, end)}`}`;
  return text.startsWith('-') && value !== '0' ? `-${value}` : value;
}

/** The sum of two decimal numbers in its shortest form; undefined if one is too long to be printed. */
export function plus(a: string, b: string): string | undefined {
  const [first, second] = [canonical(a), canonical(b)];
  if (first.length > maxDigits || second.length > maxDigits) return undefined;
  const places = Math.max(...[first, second].map((each) => each.split('.')[1]?.length ?? 0));
  const scaled = (value: string): bigint => {
    const [whole = '', decimals = ''] = value.split('.');
    return BigInt(whole.replace('-', '') + decimals.padEnd(places, '0')) * (value.startsWith('-') ? -1n : 1n);
  };
  const sum = scaled(first) + scaled(second);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(places + 1, '0');
  const at = digits.length - places;
  return canonical(`${sum < 0n ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at)}`);
}

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const symbolsOf: Readonly<Record<string, readonly string[]>> = {
  EUR: ['€', 'Euro', 'euro', 'EURO', 'Euros', 'euros', 'EUROS', 'Eur'],
  GBP: ['£', '£GBP', 'GBP£', 'GB£'],
  USD: ['$', 'US$', '$US', 'USD$', 'U$S', 'dollars'],
  CAD: ['$', 'CA$', '$CA', 'C$', 'CAD$', 'dollars'],
  AUD: ['$', 'AU$', '$AU', 'A$', 'AUD$', 'dollars'],
  NZD: ['$', 'NZ$', '$NZ', 'dollars'],
  HKD: ['$', 'HK$', '$HK', 'dollars'],
  SGD: ['$', 'SG$', 'S$', 'dollars'],
  MXN: ['$', 'MX$', '$MX'],
  ARS: ['$'],
  CLP: ['$'],
  COP: ['$'],
  BRL: ['R$'],
  JPY: ['¥', 'JP¥', '円'],
  CNY: ['¥', 'CN¥', '元'],
  TRY: ['₺', 'TL'],
  INR: ['₹'],
  KRW: ['₩'],
  CHF: ['Fr', 'fr', 'SFr', 'sFr', 'SFR', 'Franken', 'Francs', 'francs'],
  SEK: ['kr', 'Kr'],
  NOK: ['kr', 'Kr'],
  DKK: ['kr', 'Kr'],
  ISK: ['kr', 'Kr'],
  PLN: ['zł', 'zl'],
  CZK: ['Kč'],
  HUF: ['Ft'],
  RON: ['lei'],
};
const symbols: ReadonlySet<string> = new Set(Object.values(symbolsOf).flat());
const maxCurrencyChars = 20;

/** A code or symbol without the brackets and the punctuation around it; undefined for another text. */
function currencyIn(text: string): string | undefined {
  if (text.length > maxCurrencyChars) return undefined;
  if (codes.has(text) || symbols.has(text)) return text;
  const bare = text.replace(/^[^\p{L}\p{N}\p{Sc}]+/u, '').replace(/[^\p{L}\p{N}\p{Sc}]+$/u, '');
  return codes.has(bare) || symbols.has(bare) ? bare : undefined;
}

/** Whether a text is the code or the symbol of any currency. */
export const isCurrency = (text: string): boolean => currencyIn(text) !== undefined;

/** Whether a code or a symbol on a page means the currency. */
export function meansCurrency(printed: string, currency: string): boolean {
  const bare = currencyIn(printed);
  return bare !== undefined && (bare === currency || (symbolsOf[currency]?.includes(bare) ?? false));
}

/** The gap, as a part of the size, that separates groups of digits; those of columns are wider. */
const groupGap = 0.45;
/** Characters of a typewriter, and their spaces, are this wide. */
const typewriterWidth = 0.6;
const groups = {
  ',': /^(?:\d{1,3}(?:[.'’]\d{3})+|\d+)(?:,\d+)?$/,
  '.': /^(?:\d{1,3}(?:[,'’]\d{3})+|\d+)(?:\.\d+)?$/,
};
const parts =
  /^(?<before>[^\d\s]{0,6}?)(?<number>\d(?:[\d.,'’]*\d)?)(?<dash>(?:[,.](?:--|-|–|—))?)(?<after>[^\d]{0,6})$/u;

/** The numbers in a row of words. */
export function readNumbers(words: readonly PrintedWord[], conventions: Conventions): readonly NumberToken[] {
  const tokens: NumberToken[] = [];
  for (let index = 0; index < words.length; index++) {
    const end = endOfGroups(words, index);
    const token = readNumber(words, [index, end], conventions);
    if (token !== undefined) tokens.push(token);
    index = end - 1;
  }
  return tokens;
}

/** The end of a number whose thousands are separated by spaces, such as `1 234 567,00`. */
function endOfGroups(words: readonly PrintedWord[], start: number): number {
  let end = start + 1;
  if (!/^[^\d]{0,4}\d{1,3}$/u.test(words[start]?.text ?? '')) return end;
  for (; end < words.length; end++) {
    const [before, word] = [words[end - 1], words[end]];
    if (before === undefined || word === undefined) break;
    const gap = isTypewritten(before) && isTypewritten(word) ? typewriterWidth + 0.05 : groupGap;
    if (!/^\d{3}(?:[.,]\d+)?[^\d]{0,4}$/u.test(word.text) || gapOf(before, word) > gap) break;
  }
  return end;
}

const isTypewritten = ({ left, right, text, sizePt }: PrintedWord): boolean =>
  Math.abs((right - left) / text.length / sizePt - typewriterWidth) < 0.015;

/** The space between two words, as a part of the size. */
const gapOf = (before: PrintedWord, after: PrintedWord): number => (after.left - before.right) / before.sizePt;

function readNumber(
  words: readonly PrintedWord[],
  [start, end]: readonly [number, number],
  { decimals: signs }: Conventions,
): NumberToken | undefined {
  const own = words.slice(start, end);
  const text = own.map((word) => word.text).join('');
  if (text.length > 2 * maxDigits) return undefined;
  const { before = '', number = '', dash = '', after = '' } = parts.exec(text)?.groups ?? {};
  const decimal = signs.find((each) => groups[each].test(number));
  if (decimal === undefined) return undefined;
  const lead = before.replace(/[-−–+([]/gu, '').replace(/[x×:@]$/u, '');
  const trail = after.replace(/[)\].,;:*]+$/u, '').replace(/[-−]$/u, '');
  if (lead !== '' && !isCurrency(lead)) return undefined;
  const isUnit = /^[\p{L}²³]{1,5}$/u.test(trail);
  if (trail !== '' && trail !== '%' && !isCurrency(trail) && !isUnit) return undefined;
  const [previous, next] = [words[start - 1], words[end]];
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const left = previous !== undefined && gapOf(previous, first) < 1 ? previous.text : '';
  const right = next !== undefined && gapOf(last, next) < 1 ? next.text : '';
  // The currency after a number is its own; the one before it may follow the number to its left.
  const currency = [lead, trail, right, left].map(currencyIn).find((each) => each !== undefined);
  const isPercent = trail === '%' || /^[([]?%/.test(right);
  const isBracketed = before.includes('(');
  const plainNumber = number.replaceAll(decimal === ',' ? /[.'’]/g : /[,'’]/g, '').replace(',', '.');
  const hasDecimals = dash !== '' || plainNumber.includes('.');
  const hasMinus =
    /[-−–]/u.test(before) ||
    (!isPercent && signBefore(left)) ||
    /[-−]$/u.test(after.replace(/[)€$£]+$/u, '')) ||
    (hasDecimals && isSignAfter(words, end));
  return {
    words: own,
    text: own.map((word) => word.text).join(' '),
    value: canonical(`${(hasMinus || isBracketed) && !isPercent ? '-' : ''}${plainNumber}`),
    isPercent,
    hasMinus,
    decimals: plainNumber.split('.')[1]?.length ?? 0,
    hasDecimals,
    currency,
  };
}

/** Whether the word before a number is a minus, alone or with the currency. */
const signBefore = (text: string): boolean => /^[-−–(]/u.test(text) && (text.length === 1 || isCurrency(text.slice(1)));

/** Whether the word after a number is a minus, and no dash between two numbers. */
function isSignAfter(words: readonly PrintedWord[], at: number): boolean {
  const [number, sign, other] = [words[at - 1], words[at], words[at + 1]];
  if (number === undefined || sign === undefined || !/^[-−]$/.test(sign.text) || gapOf(number, sign) > 0.7)
    return false;
  return other === undefined || gapOf(sign, other) >= 1 || isCurrency(other.text);
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
