/** For each locale, in lower case, the word of each key. */
export type Dictionary = ReadonlyMap<string, ReadonlyMap<string, string>>;

export type Words = ReadonlyMap<string, string>;

/**
 * The words for a locale (BCP 47). Words that the locale lacks come from shorter ones, such as `de` for `de-AT` (RFC
 * 4647, 3.4). The words of later dictionaries take precedence over all words of earlier ones.
 */
export function wordsFor(dictionaries: readonly Dictionary[], locale: string): Words {
  const subtags = locale.toLowerCase().split('-');
  const words = new Map<string, string>();
  for (const dictionary of dictionaries) {
    for (let length = 1; length <= subtags.length; length++) {
      for (const [key, word] of dictionary.get(subtags.slice(0, length).join('-')) ?? []) words.set(key, word);
    }
  }
  return words;
}

export function hasWord(dictionaries: readonly Dictionary[], key: string): boolean {
  return dictionaries.some((dictionary) => [...dictionary.values()].some((words) => words.has(key)));
}

/**
 * Reads the dictionary of an account: JSON whose members are locales, each with an object of words. Ignores empty
 * strings.
 */
export function parseDictionary(json: Uint8Array): Dictionary {
  const locales = JSON.parse(Buffer.from(json).toString('utf8')) as Readonly<Record<string, Record<string, string>>>;
  const wordsOf = (words: Readonly<Record<string, string>>) =>
    new Map(Object.entries(words).filter(([, word]) => word !== ''));
  return new Map(Object.entries(locales).map(([locale, words]) => [locale.toLowerCase(), wordsOf(words)]));
}
