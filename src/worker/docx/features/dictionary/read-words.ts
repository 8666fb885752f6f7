import { decodeEntities, scanXml } from '@docmill/word/xml-tokens';
import { isLocale } from '../../../../shared/is-locale.ts';

const maxWords = 20_000;

/** The words of a table by locale in lower case, or the problem of the table. */
type WordTable = ReadonlyMap<string, Map<string, string>> | { readonly problem: string; readonly hint: string };

/**
 * Reads a table of words: locales in its first row after the first cell, a key in the first cell of each other row, and
 * its words in the others. Ignores empty cells.
 */
export function readWords(tableXml: string): WordTable {
  const [head = [], ...rows] = readCells(tableXml);
  const locales = head.slice(1);
  if (locales.length === 0)
    return { problem: 'has no locales beside it', hint: 'write a locale such as de into each further cell' };
  for (const [i, locale] of locales.entries()) {
    if (!isLocale(locale))
      return {
        problem: `has "${locale.slice(0, 40)}" beside it, which is not a locale`,
        hint: 'write en, de or de-AT',
      };
    if (locales.findIndex((other) => other.toLowerCase() === locale.toLowerCase()) < i)
      return { problem: `has the locale ${locale} twice`, hint: 'remove one of the columns' };
  }
  if (rows.length * locales.length > maxWords)
    return { problem: `has more than ${maxWords} words`, hint: 'use several templates' };
  const words = new Map(locales.map((locale) => [locale.toLowerCase(), new Map<string, string>()]));
  const keys = new Set<string>();
  for (const [key = '', ...ofKey] of rows) {
    if (key === '') continue;
    if (keys.has(key)) return { problem: `has the word "${key.slice(0, 40)}" twice`, hint: 'remove one of the rows' };
    keys.add(key);
    for (const [i, locale] of locales.entries()) {
      const word = ofKey[i] ?? '';
      if (word !== '') words.get(locale.toLowerCase())?.set(key, word);
    }
  }
  return words;
}

/** The text of each cell by row, trimmed. Paragraphs and line breaks in a cell become line breaks. */
function readCells(xml: string): string[][] {
  const rows: string[][] = [];
  let cell: string[] = [];
  let textStart = -1;
  scanXml(xml, ({ kind, local, start, end }) => {
    if (local === 'tr' && kind === 'open') rows.push([]);
    else if (local === 'tc' && kind === 'open') cell = [];
    else if (local === 'tc' && kind === 'close') rows.at(-1)?.push(cell.join('').trim());
    else if ((local === 'p' && kind === 'close') || (local === 'br' && kind !== 'close')) cell.push('\n');
    else if (local === 't') {
      if (kind === 'close' && textStart >= 0) cell.push(decodeEntities(xml.slice(textStart, start)));
      textStart = kind === 'open' ? end : -1;
    }
  });
  return rows;
}
