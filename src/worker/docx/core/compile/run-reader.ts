import type { ParsedPiece } from './parse-parts.ts';

/** Follows the pieces of a part and knows the formatting of the Word run that is being read. */
export class RunReader {
  #pieces: string[] | undefined;
  #properties: string | undefined;

  read({ type, tag, position, text, value }: ParsedPiece): void {
    if (type === 'tag' && tag === 'w:r') {
      this.#properties = undefined;
      this.#pieces = position === 'start' ? [] : undefined;
    } else if (type === 'tag' && text === true && this.#pieces !== undefined) {
      this.#properties = /<w:rPr\b(?:[^>]*[^/])?>.*<\/w:rPr>/s.exec(this.#pieces.join(''))?.[0] ?? '';
      this.#pieces = undefined;
    } else if (type !== 'placeholder') this.#pieces?.push(value);
  }

  /** The `w:rPr` element, empty without one; undefined outside of runs. */
  get properties(): string | undefined {
    return this.#properties;
  }
}
