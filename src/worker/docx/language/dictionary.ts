/** The words of a template: for each locale, in lower case, the word of each key. */
export type Dictionary = ReadonlyMap<string, ReadonlyMap<string, string>>;

export type Words = ReadonlyMap<string, string>;

/**
 * The words for a locale (BCP 47): of the locale itself, and what it lacks of the shorter ones, such as `de` for `de-AT`
 * (RFC 4647, 3.4).
 */
export function wordsFor(dictionary: Dictionary, locale: string): Words {
  const subtags = locale.toLowerCase().split('-');
  const words = new Map<string, string>();
  for (let length = 1; length <= subtags.length; length++) {
    for (const [key, word] of dictionary.get(subtags.slice(0, length).join('-')) ?? []) words.set(key, word);
  }
  return words;
}

export function hasWord(dictionary: Dictionary, key: string): boolean {
  return [...dictionary.values()].some((words) => words.has(key));
}
