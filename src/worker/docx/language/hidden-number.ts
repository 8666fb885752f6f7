/** Stands before a number inside a tag; XML excludes it, so that no author can write it. */
const mark = '\u0002';
// biome-ignore lint/suspicious/noControlCharactersInRegex: a character that XML excludes marks what we wrote ourselves
const numbered = /\u0002(\d+)/g;

/** The tag with a number that authors never see: it leads from the tag back to what it was read from. */
export function hideNumber(tag: string, number: number): string {
  return tag.endsWith('}') ? `${tag.slice(0, -1)}${mark}${number}}` : tag;
}

export function withoutHiddenNumbers(text: string): string {
  return text.includes(mark) ? text.replace(numbered, '') : text;
}

export function hiddenNumber(tag: string): number | undefined {
  const found = new RegExp(numbered).exec(tag)?.[1];
  return found === undefined ? undefined : Number(found);
}
