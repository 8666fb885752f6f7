import { type Conventions, plain } from './conventions.ts';
import type { PrintedWord } from './read-printed-pages.ts';

/** A number on a page. */
export interface NumberToken {
  readonly words: readonly PrintedWord[];
  readonly text: string;
  /** Without leading and trailing zeros, such as `-1234.5`. */
  readonly value: string;
  readonly isPercent: boolean;
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

/** A decimal number in its shortest form. */
export function canonical(number: string): string {
  const [, sign = '', whole = '', decimals = ''] = /^([-+]?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(number.trim()) ?? [];
  const value = `${whole === '' ? '0' : whole}${decimals === '' ? '' : `.${decimals}`}`;
  return sign === '-' && value !== '0' ? `-${value}` : value;
}

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const symbols: ReadonlyMap<string, readonly string[]> = new Map([
  ['€', ['EUR']],
  ['£', ['GBP']],
  ['$', ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'MXN', 'ARS', 'CLP', 'COP']],
  ['US$', ['USD']],
  ['¥', ['JPY', 'CNY']],
  ['Fr.', ['CHF']],
  ['sFr.', ['CHF']],
  ['kr', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['kr.', ['DKK', 'SEK', 'NOK', 'ISK']],
  ['zł', ['PLN']],
  ['Kč', ['CZK']],
  ['Ft', ['HUF']],
  ['lei', ['RON']],
]);

const isCurrency = (text: string): boolean => codes.has(text) || symbols.has(text);

/** Whether a code or a symbol on a page means the currency. */
export const meansCurrency = (printed: string, currency: string): boolean =>
  printed === currency || (symbols.get(printed)?.includes(currency) ?? false);

/** The gap, as a part of the size, that separates groups of digits; those of columns are wider. */
const groupGap = 0.45;
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
    if (!/^\d{3}(?:[.,]\d+)?[^\d]{0,4}$/u.test(word.text) || gapOf(before, word) > groupGap) break;
  }
  return end;
}

/** The space between two words, as a part of the size. */
const gapOf = (before: PrintedWord, after: PrintedWord): number => (after.left - before.right) / before.sizePt;

function readNumber(
  words: readonly PrintedWord[],
  [start, end]: readonly [number, number],
  { decimal }: Conventions,
): NumberToken | undefined {
  const own = words.slice(start, end);
  const text = own.map((word) => word.text).join('');
  const { before = '', number = '', dash = '', after = '' } = parts.exec(text)?.groups ?? {};
  if (!groups[decimal].test(number)) return undefined;
  const lead = before.replace(/[-−–+(]/gu, '').replace(/[x×:]$/u, '');
  const trail = after.replace(/[).,;:*]+$/u, '').replace(/[-−]$/u, '');
  if (lead !== '' && !isCurrency(lead)) return undefined;
  const isUnit = /^[\p{L}²³]{1,5}$/u.test(trail);
  if (trail !== '' && trail !== '%' && !isCurrency(trail) && !isUnit) return undefined;
  const [previous, next] = [words[start - 1], words[end]];
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const isNear = (word: PrintedWord | undefined, gap: number): boolean => word !== undefined && gap < 1;
  const beside = [
    previous !== undefined && isNear(previous, gapOf(previous, first)) ? previous.text.replace(/^[-−–(]/u, '') : '',
    next !== undefined && isNear(next, gapOf(last, next)) ? next.text.replace(/[).,;:]+$/, '') : '',
  ];
  // The currency after a number is its own; the one before it may follow the number to its left.
  const currency = [lead, trail, beside[1], beside[0]].find((each) => each !== undefined && isCurrency(each));
  const sign = previous !== undefined && isNear(previous, gapOf(previous, first)) ? signBefore(previous.text) : false;
  const minusBefore = /[-−–(]/u.test(before) || sign;
  const isNegative = minusBefore || /[-−]$/u.test(after.replace(/[)€$£]+$/u, '')) === true;
  const plainNumber = number.replaceAll(decimal === ',' ? /[.'’]/g : /[,'’]/g, '').replace(',', '.');
  return {
    words: own,
    text: own.map((word) => word.text).join(' '),
    value: canonical(`${isNegative ? '-' : ''}${plainNumber}`),
    isPercent: trail === '%' || beside[1]?.startsWith('%') === true,
    decimals: plainNumber.split('.')[1]?.length ?? 0,
    hasDecimals: dash !== '' || plainNumber.includes('.'),
    currency,
  };
}

/** Whether the word before a number is a minus, alone or with the currency. */
const signBefore = (text: string): boolean => /^[-−–]/u.test(text) && (text.length === 1 || isCurrency(text.slice(1)));

const ordinal = '(?:\\.|st|nd|rd|th|er|e|o|a|°)?';
const datePatterns: readonly [RegExp, order: readonly ('y' | 'm' | 'd' | 'x')[]][] = [
  [/(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/gu, ['y', 'm', 'd']],
  [/(?<![\d.,])(\d{1,2}) ?[./-] ?(\d{1,2}) ?[./-] ?(\d{4}|\d{2})(?![\d]|[.,]\d)/gu, ['x', 'x', 'y']],
  [
    new RegExp(
      `(?<!\\d)(\\d{1,2})${ordinal} ?(?:de |di )?(\\p{L}{3,12})\\.?,? ?(?:de |del )?(\\d{4}|\\d{2})(?!\\d)`,
      'gu',
    ),
    ['d', 'm', 'y'],
  ],
  [/(?<!\d)(\d{1,2})-(\p{L}{3,12})\.?-(\d{4}|\d{2})(?!\d)/gu, ['d', 'm', 'y']],
  [new RegExp(`(\\p{L}{3,12})\\.? (\\d{1,2})${ordinal},? (\\d{4})(?!\\d)`, 'gu'), ['m', 'd', 'y']],
];

/** The dates in a row of words. */
export function readDates(words: readonly PrintedWord[], { isDayFirst, months }: Conventions): readonly DateToken[] {
  const texts = words.map(({ text }) => plain(text));
  const row = texts.join(' ');
  let end = -1;
  const ends = texts.map((text) => {
    end += text.length + 1;
    return end;
  });
  return datePatterns.flatMap(([pattern, order]) =>
    [...row.matchAll(pattern)].flatMap((match) => {
      const fields = match.slice(1);
      const numeric = isDayFirst ? (['d', 'm', 'y'] as const) : (['m', 'd', 'y'] as const);
      const names = order[0] === 'x' ? numeric : order;
      const field = (name: 'y' | 'm' | 'd'): string => fields[names.indexOf(name)] ?? '';
      const month = /^\d/.test(field('m')) ? Number(field('m')) : (months.get(field('m')) ?? 0);
      const year = field('y').length === 2 ? 2000 + Number(field('y')) : Number(field('y'));
      const day = Number(field('d'));
      if (month < 1 || month > 12 || day < 1 || day > 31) return [];
      const first = ends.findIndex((at) => at > match.index);
      const last = ends.findIndex((at) => at >= match.index + match[0].trimEnd().length);
      const own = words.slice(first, last + 1);
      const value = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      return [{ words: own, text: own.map((word) => word.text).join(' '), value }];
    }),
  );
}
