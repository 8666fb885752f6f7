import type { Delimiters } from '../../../shared/template-syntax.ts';

/*
 * Whatever the delimiters of a template are, the compiler sees `{` and `}` around tags, and character references
 * instead of braces that are text. Word reads the references as braces, so they stay in the output.
 */

export const openReference = '&#123;';
export const closeReference = '&#125;';

/** Marks for braces that are text in the quotations of messages. XML forbids these characters. */
const openMark = '\u0003';
const closeMark = '\u0004';

/** Replaces the references of braces by marks. */
export function markBraces(text: string): string {
  return text.includes('&#12') ? text.replaceAll(openReference, openMark).replaceAll(closeReference, closeMark) : text;
}

/** Replaces braces by marks, so that `withDelimiters` leaves them as they are. */
export function markLiteralBraces(text: string): string {
  return text.replaceAll('{', openMark).replaceAll('}', closeMark);
}

/** Replaces the marks of braces by braces. */
export function unmarkBraces(text: string): string {
  return text.replaceAll(openMark, '{').replaceAll(closeMark, '}');
}

/** Replaces references by braces in the text of a tag. */
export function literalBraces(text: string): string {
  return unmarkBraces(markBraces(text));
}

/** A message as the author reads it: tags with the delimiters of the template. */
export function withDelimiters(message: string, { open, close }: Delimiters): string {
  const delimited = hasDefaultDelimiters({ open, close })
    ? message
    : message.replace(/[{}]/g, (brace) => (brace === '{' ? open : close));
  return unmarkBraces(delimited);
}

export function hasDefaultDelimiters({ open, close }: Delimiters): boolean {
  return open === '{' && close === '}';
}

const escapedInXml: Readonly<Record<string, string>> = {
  '<': '(?:&lt;|&#0*60;|&#x0*3c;)',
  '>': '(?:>|&gt;|&#0*62;|&#x0*3e;)',
};

/** The source of a regular expression for a delimiter in XML text. */
export function delimiterPattern(delimiter: string): string {
  return Array.from(delimiter, (char) => escapedInXml[char] ?? char.replace(/\W/, '\\$&')).join('');
}
