/** The names of one kind in a template, such as ids of styles, which new names must not repeat. Ignores case. */
export class FreeNames {
  readonly #taken: Set<string>;
  readonly #stemOf: (name: string) => string;
  /** The next number for each stem, so that many equal names cost no search. */
  readonly #next = new Map<string, number>();

  /** `stemOf` returns the text before the number that makes a taken name unique. Default: the name. */
  constructor(taken: Iterable<string>, stemOf = (name: string) => name) {
    this.#taken = new Set(Array.from(taken, (name) => name.toLowerCase()));
    this.#stemOf = stemOf;
  }

  /** Takes the name, or a variant with the next free number. */
  take(preferred: string): string {
    const stem = this.#stemOf(preferred);
    let name = preferred;
    let number = this.#next.get(stem.toLowerCase()) ?? 2;
    for (; this.#taken.has(name.toLowerCase()); number++) name = `${stem}${number}`;
    this.#next.set(stem.toLowerCase(), number);
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
