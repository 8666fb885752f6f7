/** Precedes a number inside a tag. XML forbids it, so that no author can write it. */
const mark = '\u0002';
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids this character, so only this module writes it
const numbered = /\u0002(\d+)/g;

/** Adds a hidden number to a tag, which refers back to its source. */
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
