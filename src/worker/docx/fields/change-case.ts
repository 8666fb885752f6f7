import { capitalize, capitalizeWords } from '../language/expressions/formatters/letter-case.ts';

/** Changes the case of a result: Upper, Lower, FirstCap or Caps. Unchanged for other switches. */
export function changeCase(text: string, name: string, locale: string): string {
  switch (name.toLowerCase()) {
    case 'upper':
      return text.toLocaleUpperCase(locale);
    case 'lower':
      return text.toLocaleLowerCase(locale);
    case 'firstcap':
      return capitalize(text, locale);
    case 'caps':
      return capitalizeWords(text, locale);
    default:
      return text;
  }
}
