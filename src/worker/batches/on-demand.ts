import type { Logger } from '../../shared/logger.ts';

interface Closeable {
  close(): Promise<void>;
}

/** An expensive resource: started on first use, closed after being idle for `idleMs`. */
export class OnDemand<T extends Closeable> {
  readonly #start: () => T | Promise<T>;
  readonly #idleMs: number;
  readonly #logger: Logger;
  #instance: Promise<T> | undefined;
  #current: T | undefined;
  #users = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: () => T | Promise<T>, idleMs: number, logger: Logger) {
    this.#start = start;
    this.#idleMs = idleMs;
    this.#logger = logger;
  }

  /** The running instance, if any. Never starts one. */
  get current(): T | undefined {
    return this.#current;
  }

  /** Rejects when the start fails; the next user tries again. */
  async use<R>(work: (instance: T) => Promise<R>): Promise<R> {
    clearTimeout(this.#timer);
    this.#users += 1;
    try {
      return await work(await this.#get());
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#closeLater();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const instance = this.#instance;
    this.#instance = undefined;
    this.#current = undefined;
    await (await instance?.catch(() => undefined))?.close();
  }

  #get(): Promise<T> {
    if (this.#instance !== undefined) return this.#instance;
    const starting = Promise.resolve().then(this.#start);
    this.#instance = starting;
    starting.then(
      (instance) => {
        if (this.#instance === starting) this.#current = instance;
      },
      () => {
        if (this.#instance === starting) this.#instance = undefined;
      },
    );
    return starting;
  }

  #closeLater(): void {
    this.#timer = setTimeout(() => {
      void this.close().catch((error: unknown) =>
        this.#logger.warn({ err: error }, 'an idle engine could not be closed'),
      );
    }, this.#idleMs);
    this.#timer.unref();
  }
}
