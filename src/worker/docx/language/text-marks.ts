/** Separators in extracted text. XML forbids them, so template text cannot contain them. */
export const endOfParagraph = '\f';
export const breakInParagraph = '\v';

/** Replaces a tab or a line break inside a tag: LINE SEPARATOR, which counts as white space. */
export const breakInTag = '\u2028';

/** Invisible characters that Word, keyboards and copied text add: soft hyphens, direction marks, zero-width joiners. */
export const unseenCharacters = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g;

/** Ends a paragraph in a value (U+2029, PARAGRAPH SEPARATOR). */
export const paragraphSeparator = '\u2029';
