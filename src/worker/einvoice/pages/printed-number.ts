import type { Conventions } from './conventions.ts';
import { currencyIn, isCurrency } from './printed-currency.ts';
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
