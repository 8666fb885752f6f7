import { setTimeout as delay } from 'node:timers/promises';
import type { Harness } from './harness.ts';
import type { ServiceProcess } from './service-process.ts';
import { until } from './until.ts';

const everyMs = 100;
/** As usual for load balancers, one failed probe is no reason to remove a process. */
const failuresUntilRemoved = 2;

/** Distributes clients over the ready APIs round-robin, as a load balancer does. Each API is probed separately. */
export class Balancer {
  readonly #h: Harness;
  /** Failed probes in a row; a new process gets no requests before its first good one. */
  readonly #failures = new Map<ServiceProcess, number>();
  #isStopped = false;
  #count = 0;

  constructor(h: Harness) {
    this.#h = h;
    void this.#followAll();
  }

  /** The next ready API; waits until one is. */
  next(): Promise<string> {
    return until('an API being ready', () => this.#nextReady());
  }

  /** The next ready API, or any running one while none is ready. */
  pick(): string {
    return this.#nextReady() ?? this.#h.api.url;
  }

  stop(): void {
    this.#isStopped = true;
  }

  #nextReady(): string | undefined {
    const ready = [...this.#failures].filter(
      ([api, failures]) => api.exit === undefined && failures < failuresUntilRemoved,
    );
    this.#count += 1;
    return ready[this.#count % Math.max(1, ready.length)]?.[0].url;
  }

  async #followAll(): Promise<void> {
    while (!this.#isStopped) {
      for (const api of this.#h.processes.filter(({ spec }) => spec.kind === 'api'))
        if (!this.#failures.has(api)) void this.#follow(api);
      await delay(everyMs);
    }
  }

  /** A slow probe of one API does not delay the others. */
  async #follow(api: ServiceProcess): Promise<void> {
    this.#failures.set(api, failuresUntilRemoved);
    while (!this.#isStopped && api.exit === undefined) {
      const { status } = await api.readiness().catch(() => ({ status: 0 }));
      this.#failures.set(api, status === 200 ? 0 : (this.#failures.get(api) ?? 0) + 1);
      await delay(everyMs);
    }
  }
}
