export interface HealthCheck<S> {
  readonly everyMs: number;
  /**
   * Destroys a slot that does not respond. Aborted when a request takes the slot, which must then be usable
   * immediately.
   */
  readonly check: (slot: S, taken: AbortSignal) => Promise<void>;
}

/** Checks idle slots regularly, one after another. They stay idle, so that a request never waits for a check. */
export class IdleChecks<S> {
  readonly #check: HealthCheck<S>['check'];
  readonly #idle: () => readonly S[];
  readonly #timer: NodeJS.Timeout;
  #current: { readonly slot: S; readonly taken: AbortController } | undefined;
  #isStopped = false;

  constructor({ everyMs, check }: HealthCheck<S>, idle: () => readonly S[]) {
    this.#check = check;
    this.#idle = idle;
    this.#timer = setInterval(() => void this.#run(), everyMs);
    this.#timer.unref();
  }

  isChecking(slot: S): boolean {
    return this.#current?.slot === slot;
  }

  /** Call it when a request takes the slot. */
  take(slot: S): void {
    if (this.isChecking(slot)) this.#current?.taken.abort();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#current?.taken.abort();
  }

  async #run(): Promise<void> {
    if (this.#current !== undefined) return;
    for (const slot of this.#idle()) {
      if (this.#isStopped || !this.#idle().includes(slot)) continue;
      const taken = new AbortController();
      this.#current = { slot, taken };
      // A slot that fails its check is destroyed and reports its own end.
      await this.#check(slot, taken.signal).catch(() => undefined);
      this.#current = undefined;
    }
  }
}
