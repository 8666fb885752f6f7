/** A list whose items a section repeats, or a formatter reads, one after another. */
export class RepeatedList {
  readonly items: readonly unknown[];
  #memory: Map<object, unknown> | undefined;

  constructor(items: readonly unknown[]) {
    this.items = items;
  }

  /** The value that an owner keeps from item to item, created on first use. */
  remembered<T>(owner: object, make: () => T): T {
    this.#memory ??= new Map();
    const known = this.#memory.get(owner);
    if (known !== undefined) return known as T;
    const made = make();
    this.#memory.set(owner, made);
    return made;
  }
}
