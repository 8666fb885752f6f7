/** Marks inside the extracted text of a part that no XML text can contain. */
export const endOfParagraph = '\f';
export const breakInParagraph = '\v';

/** Stands for a tab or a line break inside a tag: LINE SEPARATOR, which every reader of a tag takes for a space. */
export const breakInTag = '\u2028';
