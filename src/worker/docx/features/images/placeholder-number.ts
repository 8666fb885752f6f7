/** Stands before the number of a placeholder inside its tag; XML excludes it, so that no author can write it. */
const numberMark = '\u0002';
// biome-ignore lint/suspicious/noControlCharactersInRegex: a character that XML excludes marks what we wrote ourselves
const numbered = /\u0002(\d+)/g;

/** A tag that carries the number of the placeholder it stands for. */
export function numberTag(tag: string, number: number): string {
  return tag.endsWith('}') ? `${tag.slice(0, -1)}${numberMark}${number}}` : tag;
}

/** A text without the numbers of placeholders. */
export function withoutNumbers(text: string): string {
  return text.includes(numberMark) ? text.replace(numbered, '') : text;
}

/** The number of the placeholder that a tag stands for. */
export function placeholderNumber(tag: string): number | undefined {
  const found = new RegExp(numbered).exec(tag)?.[1];
  return found === undefined ? undefined : Number(found);
}
