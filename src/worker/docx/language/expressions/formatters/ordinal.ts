import type { RenderContext } from '../../render-context.ts';

/** Endings by plural category of ordinals (CLDR); other languages write a point. */
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

/** A whole number as a rank: 1st, 2., 3e. */
export function ordinal(value: number, context: RenderContext): string {
  const rules = context.cached('ordinal', () => new Intl.PluralRules(context.locale, { type: 'ordinal' }));
  const number = context.cached('whole number', () => new Intl.NumberFormat(context.locale)).format(value);
  const forLanguage = endings[new Intl.Locale(context.locale).language];
  if (forLanguage === undefined) return `${number}.`;
  return `${number}${forLanguage[rules.select(value)] ?? forLanguage.other}`;
}
