import type { Harness } from './harness.ts';

/** Sends clients to the APIs that say they are ready, in turn, as the load balancer of a deployment does. */
export class Balancer {
  readonly #h: Harness;
  readonly #timer: NodeJS.Timeout;
  #ready: readonly string[] = [];
  #turn = 0;

  constructor(h: Harness) {
    this.#h = h;
    this.#timer = setInterval(() => void this.look(), 100);
  }

  async look(): Promise<void> {
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
    this.#turn += 1;
    const url = this.#ready[this.#turn % Math.max(1, this.#ready.length)];
    if (url === undefined) throw new Error('no API is ready');
    return url;
  }

  /** As `next`, while no API is ready any one that lives: the client finds out. */
  pick(): string {
    return this.#ready.length > 0 ? this.next() : this.#h.api.url;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
