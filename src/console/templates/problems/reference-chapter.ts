import type { Problem } from './problem.ts';

/** A chapter of the reference of the template language: the anchor of its heading, and its title. */
export type Chapter = readonly [anchor: string, title: string];

const sections: Chapter = ['sections', 'Sections'];
const mistakes: Chapter = ['mistakes', 'Mistakes'];

/** Which tags each chapter explains. The first pattern that matches a tag without its delimiters decides. */
export const chapters: readonly (readonly [pattern: RegExp, chapter: Chapter])[] = [
  [/^[#^/]|^%.*%$|^(?:FOR|IF|END-\w+|else|elif)\b/, sections],
  [/^%/, ['pictures-and-barcodes', 'Pictures and barcodes']],
  [/^~/, ['html-and-markdown', 'HTML and Markdown']],
  [/^@/, ['formatting-that-data-chooses', 'Formatting that data chooses']],
  [/^\|/, ['table-columns', 'Table columns']],
  [/^(?:include|letterhead)\s/, ['other-templates', 'Other templates']],
  [/[^|]\|(?!\|)/, ['formatters', 'Formatters']],
  [/[-+*/%<>=!?()"“„'[\]]|&&|\|\|/, ['expressions', 'Expressions']],
];
export const bracesChapter: Chapter = ['braces-that-are-text', 'Braces that are text'];
export const delimitersChapter: Chapter = ['other-delimiters', 'Other delimiters'];

/** Where the reference explains what a problem is about; undefined for a warning that is about no tag. */
export function chapterOf({ kind, tag, message }: Pick<Problem, 'kind' | 'tag' | 'message'>): Chapter | undefined {
  if (tag === undefined) return kind === 'mistake' ? mistakes : undefined;
  if (/brace/.test(message)) return /^\{\{/.test(tag) ? delimitersChapter : bracesChapter;
  if (kind === 'warning') return bracesChapter;
  const inner = tag.replace(/^(?:\{+|<<|\[\[|<%|\$\{)/, '').replace(/(?:\}+|>>|\]\]|%>)$/, '');
  return chapters.find(([pattern]) => pattern.test(inner.trim()))?.[1] ?? mistakes;
}

export const chapterUrl = (serviceUrl: string, [anchor]: Chapter): string =>
  `${serviceUrl}/guide/reference/template-language.html#${anchor}`;
