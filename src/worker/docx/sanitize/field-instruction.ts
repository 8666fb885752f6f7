import { addressPieces } from '../features/links/address-template.ts';
import { isWebLink } from './judge-relationship.ts';

/** The fields that read from outside, whatever follows. */
export const outsideKeywords: ReadonlySet<string> = new Set([
  'INCLUDEPICTURE',
  'INCLUDETEXT',
  'INCLUDE',
  'IMPORT',
  'LINK',
  'DDE',
  'DDEAUTO',
  'DATABASE',
  'RD',
  'EMBED',
  'CONTROL',
  'HTMLACTIVEX',
]);

/** Whether a field instruction (ECMA-376 part 1, 17.16.5) makes a reader fetch something, or links elsewhere than the web. */
export function readsOutside(instruction: string): boolean {
  const words = instruction.match(/"[^"]*"?|[^\s"]+/g) ?? [];
  const [keyword = '', ...rest] = words.map((word) => word.replaceAll('"', ''));
  if (outsideKeywords.has(keyword.trim().toUpperCase())) return true;
  if (keyword.trim().toUpperCase() !== 'HYPERLINK') return false;
  const target = firstArgument(rest);
  return target !== undefined && !isWebLink(target);
}

/** Whether it is a link whose address holds tags. */
export function isFilledLink(instruction: string): boolean {
  return /^\s*HYPERLINK\s/i.test(instruction) && addressPieces(instruction) !== undefined;
}

// \l, \m, \n and \t of HYPERLINK are switches; \l, \o and \t take the word after them.
function firstArgument(words: readonly string[]): string | undefined {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (/^\\[lot]$/i.test(word)) i++;
    else if (!/^\\.$/.test(word) && word !== '') return word;
  }
  return undefined;
}
