/** Separators in extracted text. XML forbids them, so template text cannot contain them. */
export const endOfParagraph = '\f';
export const breakInParagraph = '\v';

/** Replaces a tab or a line break inside a tag: LINE SEPARATOR, which counts as white space. */
export const breakInTag = '\u2028';

/**
 * Invisible characters that Word, keyboards and copied text add: soft hyphens, direction marks, zero-width spaces. Joiners
 * count only after letters of scripts that do not use them.
 */
export const unseenCharacters =
  /(?:[\u034f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d\s_.#^/])[\u200c\u200d])+/gu;

/** Spaces other than U+0020: no-break, thin, wide. */
export const unusualSpaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** A name as authors see it: without invisible characters, and with the spaces and hyphens of the keyboard. */
export function plainName(name: string): string {
  return name.replace(unseenCharacters, '').replace(unusualSpaces, ' ').replaceAll('\u2011', '-').trim();
}

/** Ends a paragraph in a value (U+2029, PARAGRAPH SEPARATOR). */
export const paragraphSeparator = '\u2029';
