/** A bounded FIFO queue. `putBack` returns an item to the front. */
export class WaitQueue<T> {
  readonly #limit: number;
  readonly #items: T[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#items.length;
  }

  count(isCounted: (item: T) => boolean): number {
    return this.#items.reduce((sum, item) => sum + (isCounted(item) ? 1 : 0), 0);
  }

  /** False when the queue is full. */
  push(item: T): boolean {
    if (this.#items.length >= this.#limit) return false;
    this.#items.push(item);
    return true;
  }

  putBack(item: T): void {
    this.#items.unshift(item);
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  take(): T | undefined {
    return this.#items.shift();
  }

  remove(item: T): void {
    const index = this.#items.indexOf(item);
    if (index >= 0) this.#items.splice(index, 1);
  }

  takeAll(): T[] {
    return this.#items.splice(0);
  }
}
