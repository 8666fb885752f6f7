import { docxLimits } from '../../limits.ts';
import type { Warning } from '../warning.ts';
import { shortList } from './short-list.ts';

const longestPath = 200;

/** Counts the pictures in HTML and Markdown that are left out, because they would have to be fetched. */
export class OmittedPictures {
  readonly #paths = new Set<string>();
  #count = 0;

  add(path: string): void {
    this.#count++;
    if (this.#paths.size < docxLimits.errorDetails) this.#paths.add(path);
  }

  warnings(): Warning[] {
    if (this.#count === 0) return [];
    const paths = [...this.#paths];
    const are = this.#count === 1 ? '1 picture is' : `${this.#count} pictures are`;
    const message =
      `${are} left out: ${shortList(paths, longestPath)}. Pictures are never fetched: send them as data: addresses, or ` +
      'upload them as assets and write asset:name.';
    return [{ code: 'omitted_picture', message, paths, count: this.#count }];
  }
}
