import { LRUCache } from 'lru-cache';
import type { Database } from '../../shared/db/client.ts';
import { type DictionaryRecord, readWords } from '../../shared/domain/dictionaries/find-dictionary.ts';
import { AppError } from '../../shared/errors.ts';

/** Loads the words of a dictionary as JSON, for the formatter `translate`; undefined if there is no dictionary. */
export type WordsLoader = (dictionaryId: string | undefined) => Promise<Uint8Array | undefined>;

/** Caches up to `maxBytes` of words by dictionary, whose words never change. */
export function createWordsLoader(db: Database, maxBytes: number): WordsLoader {
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    sizeCalculation: (bytes) => bytes.length + 1,
    // A running load that is evicted still completes; otherwise it would reject.
    ignoreFetchAbort: true,
    fetchMethod: async (id) => {
      const words = await readWords(db, id);
      return words && toWordBytes(words);
    },
  });
  return async (dictionaryId) => {
    if (dictionaryId === undefined) return undefined;
    const words = await cache.fetch(dictionaryId);
    if (words === undefined)
      throw new AppError('internal', 'The dictionary of the document is missing', { retry: false });
    return words;
  };
}

/** The words in the form that the engines read. */
export const toWordBytes = (words: DictionaryRecord['words']): Uint8Array => Buffer.from(JSON.stringify(words));
