import type { Harness } from './harness.ts';

/** Distributes clients over the ready APIs round-robin, as a load balancer does. */
export class Balancer {
  readonly #h: Harness;
  readonly #timer: NodeJS.Timeout;
  #ready: readonly string[] = [];
  #count = 0;

  constructor(h: Harness) {
    this.#h = h;
    this.#timer = setInterval(() => void this.refresh(), 100);
  }

  async refresh(): Promise<void> {
    const living = this.#h.processes.filter(({ spec, exit }) => spec.kind === 'api' && exit === undefined);
    const states = await Promise.all(
      living.map(async (api) => {
        const { status } = await api.readiness().catch(() => ({ status: 0 }));
        return { url: api.url, isReady: status === 200 };
      }),
    );
    this.#ready = states.filter(({ isReady }) => isReady).map(({ url }) => url);
  }

  next(): string {
    this.#count += 1;
    const url = this.#ready[this.#count % Math.max(1, this.#ready.length)];
    if (url === undefined) throw new Error('no API is ready');
    return url;
  }

  /** Like `next`; any running API while none is ready. */
  pick(): string {
    return this.#ready.length > 0 ? this.next() : this.#h.api.url;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
