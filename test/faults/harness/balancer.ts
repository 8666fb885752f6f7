import { setTimeout as delay } from 'node:timers/promises';
import type { Harness } from './harness.ts';
import type { ServiceProcess } from './service-process.ts';

const everyMs = 100;
/** As usual for load balancers, one failed probe is no reason to remove a process. */
const failuresUntilRemoved = 2;

interface Target {
  readonly api: ServiceProcess;
  /** Failed probes in a row; a new process gets no requests before its first good one. */
  failures: number;
  isFollowed: boolean;
}

/** Distributes clients over the ready APIs round-robin, as a load balancer does. Each API is probed on its own. */
export class Balancer {
  readonly #h: Harness;
  readonly #targets = new Map<ServiceProcess, Target>();
  #isStopped = false;
  #count = 0;

  constructor(h: Harness) {
    this.#h = h;
    void this.#run();
  }

  /** Probes each running API once, and resolves with its state. */
  async refresh(): Promise<void> {
    await Promise.all(this.#running().map((api) => this.#probe(this.#targetOf(api))));
  }

  next(): string {
    const ready = this.#ready();
    this.#count += 1;
    const url = ready[this.#count % Math.max(1, ready.length)];
    if (url === undefined) throw new Error(`no API is ready: ${this.#describe()}`);
    return url;
  }

  /** Like `next`; any running API while none is ready. */
  pick(): string {
    return this.#ready().length > 0 ? this.next() : this.#h.api.url;
  }

  stop(): void {
    this.#isStopped = true;
  }

  #ready(): string[] {
    return [...this.#targets.values()]
      .filter(({ api, failures }) => api.exit === undefined && failures < failuresUntilRemoved)
      .map(({ api }) => api.url);
  }

  #describe(): string {
    return [...this.#targets.values()]
      .map(({ api, failures }) => `${api.spec.name} ${api.exit === undefined ? `failed ${failures} probes` : 'ended'}`)
      .join(', ');
  }

  /** A slow probe of one API does not delay the others. */
  async #run(): Promise<void> {
    while (!this.#isStopped) {
      for (const api of this.#running()) {
        const target = this.#targetOf(api);
        if (!target.isFollowed) void this.#follow(target);
      }
      await delay(everyMs);
    }
  }

  async #follow(target: Target): Promise<void> {
    target.isFollowed = true;
    while (!this.#isStopped && target.api.exit === undefined) {
      await this.#probe(target);
      await delay(everyMs);
    }
  }

  async #probe(target: Target): Promise<void> {
    const { status } = await target.api.readiness().catch(() => ({ status: 0 }));
    target.failures = status === 200 ? 0 : target.failures + 1;
  }

  #running(): ServiceProcess[] {
    return this.#h.processes.filter(({ spec, exit }) => spec.kind === 'api' && exit === undefined);
  }

  #targetOf(api: ServiceProcess): Target {
    const target = this.#targets.get(api) ?? { api, failures: failuresUntilRemoved, isFollowed: false };
    this.#targets.set(api, target);
    return target;
  }
}
