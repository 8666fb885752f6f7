import { docxLimits } from '../../limits.ts';
import type { Warning } from '../warning.ts';

const mostInMessage = 5;
const longest = 60;

/** The keys that `translate` printed because the dictionary has no word for them. */
export class MissingWords {
  readonly #keys = new Set<string>();

  add(key: string): void {
    if (this.#keys.size < docxLimits.errorDetails) this.#keys.add(key);
  }

  warnings(locale: string): Warning[] {
    const keys = [...this.#keys].map((key) => (key.length > longest ? `${key.slice(0, longest)}…` : key));
    if (keys.length === 0) return [];
    const more = keys.length > mostInMessage ? ' …' : '';
    const are = keys.length === 1 ? '1 word is' : `${keys.length} words are`;
    const message = `${are} missing in the dictionary for ${locale}: ${keys.slice(0, mostInMessage).join(', ')}${more}.`;
    return [{ code: 'missing_word', message, count: keys.length }];
  }
}
