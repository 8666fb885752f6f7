import { addressPieces } from '../language/address-tags.ts';
import { isWebLink } from './unwanted-content.ts';

/** Fields that read external content regardless of their arguments. */
const outsideKeywords: ReadonlySet<string> = new Set([
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

/** Whether a field instruction (ECMA-376 part 1, 17.16.5) makes a reader fetch something or links to anything but the web. */
export function readsOutside(instruction: string): boolean {
  const words = instruction.match(/"[^"]*"?|[^\s"]+/g) ?? [];
  const [keyword = '', ...rest] = words.map((word) => word.replaceAll('"', ''));
  if (outsideKeywords.has(keyword.trim().toUpperCase())) return true;
  if (keyword.trim().toUpperCase() !== 'HYPERLINK') return false;
  const target = firstArgument(rest);
  return target !== undefined && !isWebLink(target);
}

/** Whether a field instruction makes a reader fetch something; links and embedded objects are content of the document. */
export function readsOtherFile(instruction: string): boolean {
  const keyword = /^[\s"]*(\w+)/.exec(instruction)?.[1]?.toUpperCase() ?? '';
  return outsideKeywords.has(keyword) && !['EMBED', 'CONTROL', 'HTMLACTIVEX'].includes(keyword);
}

/** LibreOffice always prints the first text of IF. It is computed when the document is filled. */
export const isIf = (instruction: string): boolean => /^\s*IF(?![\w])/i.test(instruction);

/**
 * Fields that LibreOffice leaves empty or evaluates differently from Word. It counts its own conversion as a revision that
 * nobody has saved.
 */
const misread =
  /^\s*(?:AUTONUM(?:LGL|OUT)?|TEMPLATE|EDITTIME|LASTSAVEDBY|REVNUM|DOCPROPERTY\s+"?(?:Template|LastSavedBy|RevisionNumber|TotalEditingTime))(?![\w])/i;
const referenceKeywords: ReadonlySet<string> = new Set(['REF', 'PAGEREF']);

/**
 * Whether LibreOffice prints the field wrongly, so that its last result is better. This includes the error message for
 * a reference to a bookmark that is not in `bookmarks` (lower case; undefined if unknown).
 */
export function isMisread(instruction: string, bookmarks: () => ReadonlySet<string> | undefined): boolean {
  const [keyword = '', bookmark = ''] = instruction.trim().split(/\s+/);
  const name = keyword.toUpperCase();
  if (misread.test(instruction)) return true;
  return referenceKeywords.has(name) && /^\w+$/.test(bookmark) && bookmarks()?.has(bookmark.toLowerCase()) === false;
}

/**
 * NUMPAGES in digits, as Word prints it. LibreOffice would print it in the number format of the section's pages. Undefined
 * for other fields, and for those with a format of their own.
 */
export function asArabicPages(instruction: string): string | undefined {
  const isPlain = /^\s*NUMPAGES\s*(?:\\\*\s*(?:MERGEFORMAT|CHARFORMAT)\s*)*$/i.test(instruction);
  return isPlain ? ` NUMPAGES \\* Arabic${instruction.replace(/^\s*NUMPAGES/i, '')}` : undefined;
}

/** Whether the instruction is a link whose address contains tags. */
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

/**
 * Whether any subsequence of the pieces forms an instruction that reads external content, for markup where readers disagree
 * on which pieces belong to an instruction.
 */
export function mayReadOutside(pieces: readonly string[]): boolean {
  const texts = pieces.map((piece) => piece.replaceAll('"', '').toUpperCase());
  return [...outsideKeywords].some((keyword) => canSpell(keyword, texts));
}

function canSpell(keyword: string, texts: readonly string[]): boolean {
  const reached = new Set([0]);
  for (const text of texts) {
    for (const at of [...reached]) {
      const rest = keyword.slice(at);
      const spelled = at === 0 ? text.trimStart() : text;
      if (spelled.startsWith(rest) && !/^\w/.test(spelled.slice(rest.length))) return true;
      if (rest.startsWith(spelled)) reached.add(at + spelled.length);
    }
  }
  return false;
}
