/** Stands for a tab or a line break inside a tag: LINE SEPARATOR, which is a space for all that reads a tag. */
export const breakInTag = '\u2028';
