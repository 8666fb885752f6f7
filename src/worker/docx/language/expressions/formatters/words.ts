import { toCardinal as czech } from 'n2words/cs-CZ';
import { toCardinal as danish } from 'n2words/da-DK';
import { toCardinal as german, toOrdinal as germanOrdinal } from 'n2words/de-DE';
import { toCardinal as greek } from 'n2words/el-GR';
import { toCardinal as british } from 'n2words/en-GB';
import { toCardinal as indian } from 'n2words/en-IN';
import { toCardinal as american, toOrdinal as americanOrdinal } from 'n2words/en-US';
import { toCardinal as spanish, toOrdinal as spanishOrdinal } from 'n2words/es-ES';
import { toCardinal as finnish } from 'n2words/fi-FI';
import { toCardinal as belgian } from 'n2words/fr-BE';
import { toCardinal as french, toOrdinal as frenchOrdinal } from 'n2words/fr-FR';
import { toCardinal as hungarian } from 'n2words/hu-HU';
import { toCardinal as italian, toOrdinal as italianOrdinal } from 'n2words/it-IT';
import { toCardinal as norwegian } from 'n2words/nb-NO';
import { toCardinal as dutch, toOrdinal as dutchOrdinal } from 'n2words/nl-NL';
import { toCardinal as polish } from 'n2words/pl-PL';
import { toCardinal as portuguese } from 'n2words/pt-PT';
import { toCardinal as romanian } from 'n2words/ro-RO';
import { toCardinal as swedish } from 'n2words/sv-SE';
import { toCardinal as turkish } from 'n2words/tr-TR';
import { toCardinal as ukrainian } from 'n2words/uk-UA';
import type { FormatterCall } from '../formatter.ts';
import { ValueProblem } from '../value-problem.ts';

const languages = new Map<string, (value: number) => string>([
  ['cs', czech],
  ['da', danish],
  ['de', german],
  ['el', greek],
  ['en', american],
  ['en-GB', british],
  ['en-IE', british],
  ['en-AU', british],
  ['en-NZ', british],
  ['en-ZA', british],
  ['en-IN', indian],
  ['es', spanish],
  ['fi', finnish],
  ['fr', french],
  ['fr-BE', belgian],
  ['hu', hungarian],
  ['it', italian],
  ['nb', norwegian],
  ['no', norwegian],
  ['nl', dutch],
  ['pl', polish],
  ['pt', portuguese],
  ['ro', romanian],
  ['sv', swedish],
  ['tr', turkish],
  ['uk', ukrainian],
]);
const ordinals = new Map<string, (value: number) => string>([
  ['de', germanOrdinal],
  ['en', americanOrdinal],
  ['es', spanishOrdinal],
  ['fr', frenchOrdinal],
  ['it', italianOrdinal],
  ['nl', dutchOrdinal],
]);
const limit = 1e15;

/** A whole number spelled out, by default in the language of the render: 42 is forty-two. */
export function inWords(value: number, call: FormatterCall, locale = call.context.locale): string {
  if (!Number.isInteger(value)) call.fail('is not a whole number: round it first');
  if (Math.abs(value) >= limit) call.fail('is too large to be written in words');
  const words = spellOut(value, locale);
  if (words !== undefined) return words;
  const known = [...languages.keys()].filter((key) => !key.includes('-')).join(', ');
  throw new ValueProblem('output.locale', `does not support numbers in words; supported languages: ${known}`);
}

/** A whole number in the words of a language; undefined if the number is too large or the language is unknown. */
export function spellOut(value: number, locale: string): string | undefined {
  if (Math.abs(value) >= limit) return undefined;
  const { language, region } = new Intl.Locale(locale);
  return (languages.get(`${language}-${region}`) ?? languages.get(language))?.(value);
}

/** An ordinal in words, such as twenty-first; undefined like `spellOut`, and for 0. */
export function spellOrdinal(value: number, locale: string): string | undefined {
  if (value < 1 || value >= limit) return undefined;
  return ordinals.get(new Intl.Locale(locale).language)?.(value);
}
