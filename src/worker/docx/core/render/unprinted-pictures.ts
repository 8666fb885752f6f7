import { docxLimits } from '../../limits.ts';

/** Pictures of the data whose text has characters that no font has. */
export class UnprintedPictures {
  readonly characters = new Set<string>();
  readonly #paths = new Set<string>();
  #count = 0;

  /** JSON paths of the pictures in the data, at most fifty. */
  get paths(): readonly string[] {
    return [...this.#paths];
  }

  /** The number of times that these pictures are shown. */
  get count(): number {
    return this.#count;
  }

  add(path: string, missing: readonly string[] = []): void {
    if (missing.length === 0) return;
    this.#count++;
    if (this.#paths.size < docxLimits.errorDetails) this.#paths.add(path);
    for (const character of missing) if (this.characters.size < docxLimits.errorDetails) this.characters.add(character);
  }
}
