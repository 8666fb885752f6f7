import { docxLimits } from '../../limits.ts';
import type { Warning } from '../warning.ts';
import { shortList } from './short-list.ts';

/** Maximum length of a key in a message. */
const longest = 60;

/** The keys that `translate` printed because the dictionary has no word for them. */
export class MissingWords {
  readonly #keys = new Set<string>();

  add(key: string): void {
    if (this.#keys.size < docxLimits.errorDetails) this.#keys.add(key);
  }

  warnings(locale: string): Warning[] {
    const keys = [...this.#keys];
    if (keys.length === 0) return [];
    const are = keys.length === 1 ? '1 word is' : `${keys.length} words are`;
    const message = `${are} missing in the dictionary for ${locale}: ${shortList(keys, longest)}.`;
    return [{ code: 'missing_word', message, count: keys.length }];
  }
}
