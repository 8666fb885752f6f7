/** Separators in extracted text. XML forbids them, so template text cannot contain them. */
export const endOfParagraph = '\f';
export const breakInParagraph = '\v';

/** Replaces a tab or a line break inside a tag: LINE SEPARATOR, which counts as white space. */
export const breakInTag = '\u2028';
