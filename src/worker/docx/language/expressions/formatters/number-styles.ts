import type { RenderContext } from '../../render-context.ts';
import { spellOrdinal, spellOut } from './words.ts';

type Style = (value: number, context: RenderContext) => string | undefined;

/** The number formats that a field may name after `\*` (ECMA-376 part 1, 17.16.4.3), in lower case. */
const styles: Readonly<Record<string, Style>> = {
  arabic: (value) => String(Math.round(value)),
  arabicdash: (value) => `- ${Math.round(value)} -`,
  roman: (value) => toRoman(Math.round(value)),
  alphabetic: (value) => toLetters(Math.round(value)),
  hex: (value) => Math.round(value).toString(16).toUpperCase(),
  ordinal: (value, context) => `${Math.round(value)}${ordinalEnding(Math.round(value), context)}`,
  cardtext: (value, { locale }) => spellOut(Math.round(value), locale),
  ordtext: (value, { locale }) => spellOrdinal(Math.round(value), locale),
  dollartext: toDollars,
};

export const numberStyles: readonly string[] = Object.keys(styles);

export function isNumberStyle(name: string): boolean {
  return Object.hasOwn(styles, name.toLowerCase());
}

/**
 * A number in a style such as `Roman`, or `roman` for small letters. Undefined if the style cannot write the number, in
 * this language.
 */
export function inNumberStyle(value: number, name: string, context: RenderContext): string | undefined {
  const lower = name.toLowerCase();
  if (value < 0 || !isNumberStyle(name)) return undefined;
  const text = styles[lower]?.(value, context);
  return /^(?:roman|alphabetic)$/.test(lower) && /^[a-z]/.test(name) ? text?.toLowerCase() : text;
}

// biome-ignore format: one list
const romans: readonly (readonly [number, string])[] = [
  [1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'],
  [5, 'V'], [4, 'IV'], [1, 'I'],
];

function toRoman(value: number): string | undefined {
  if (value < 1 || value > 32_767) return undefined;
  let rest = value;
  let out = '';
  for (const [size, letters] of romans) for (; rest >= size; rest -= size) out += letters;
  return out;
}

/** A to Z, then AA to ZZ, as Word counts in letters. */
function toLetters(value: number): string | undefined {
  if (value < 1 || value > 780) return undefined;
  return String.fromCharCode(65 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

/** The amount of a cheque: `twelve and 50/100`. */
function toDollars(value: number, { locale }: RenderContext): string | undefined {
  const cents = Math.round(Number((value * 100).toPrecision(15)));
  const words = spellOut(Math.floor(cents / 100), locale);
  if (words === undefined) return undefined;
  return new Intl.ListFormat(locale).format([words, `${String(cents % 100).padStart(2, '0')}/100`]);
}

/** Endings by ordinal plural category (CLDR). Other languages use a period. */
const endings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { one: 'st', two: 'nd', few: 'rd', other: 'th' },
  fr: { one: 'er', other: 'e' },
  nl: { other: 'e' },
  it: { other: 'º' },
  es: { other: '.º' },
  pt: { other: '.º' },
  ca: { one: 'r', two: 'n', few: 't', other: 'è' },
  sv: { one: ':a', other: ':e' },
};

/** What follows the digits of an ordinal: 1st, 2., 3e. */
export function ordinalEnding(value: number, context: RenderContext): string {
  const forLanguage = endings[new Intl.Locale(context.locale).language];
  if (forLanguage === undefined) return '.';
  const rules = context.cached('ordinal', () => new Intl.PluralRules(context.locale, { type: 'ordinal' }));
  return forLanguage[rules.select(value)] ?? forLanguage.other ?? '';
}
