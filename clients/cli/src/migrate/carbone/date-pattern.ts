import { Untranslatable } from '../expressions/translate-javascript.ts';

/** Tokens of Carbone's date patterns that differ in Docmill. */
const tokens: Readonly<Record<string, string>> = {
  YYYY: 'yyyy',
  YY: 'yy',
  MMMM: 'MMMM',
  MMM: 'MMM',
  MM: 'MM',
  M: 'M',
  DD: 'dd',
  D: 'd',
  dddd: 'EEEE',
  ddd: 'EEE',
  HH: 'HH',
  H: 'H',
  hh: 'hh',
  h: 'h',
  mm: 'mm',
  m: 'm',
  ss: 'ss',
  s: 's',
  A: 'a',
};

/** Locale-dependent patterns: the formatter, its argument, and whether the result is the same. */
const localized: Readonly<Record<string, readonly [formatter: string, style: string | undefined, isSame: boolean]>> = {
  LL: ['date', 'long', true],
  ll: ['date', 'medium', true],
  L: ['date', 'short', false],
  l: ['date', 'short', false],
  LLL: ['datetime', undefined, false],
  lll: ['datetime', undefined, true],
  LLLL: ['date', 'full', false],
  LT: ['time', undefined, true],
};

export interface DateFormat {
  readonly formatter: string;
  readonly argument: string | undefined;
  readonly isSame: boolean;
}

/** The formatter for a pattern such as `DD/MM/YYYY` or `LL`. Throws Untranslatable. */
export function dateFormat(pattern: string): DateFormat {
  const known = Object.hasOwn(localized, pattern) ? localized[pattern] : undefined;
  if (known !== undefined) return { formatter: known[0], argument: known[1], isSame: known[2] };
  let out = '';
  for (const { 0: token } of pattern.matchAll(/\[[^\]]*\]|([A-Za-z])\1*|[^A-Za-z[]+|\[/g)) {
    if (token.startsWith('[')) out += `'${token.slice(1, -1).replaceAll("'", "''")}'`;
    else if (!/^[A-Za-z]/.test(token)) out += token;
    else if (Object.hasOwn(tokens, token)) out += tokens[token];
    else throw new Untranslatable(`Docmill's date patterns have no ${token}.`);
  }
  return { formatter: 'date', argument: out, isSame: true };
}
