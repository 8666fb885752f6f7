import { LRUCache } from 'lru-cache';

interface Times {
  readonly usualMs: number;
  /** Like `usualMs`, but for successes only. Zero after a stop or a failure. */
  readonly successMs: number;
}

const maxKeys = 10_000;
/** The fraction of the difference by which a record falls after a shorter run. A record rises immediately. */
const fall = 0.1;

/**
 * The usual duration of work, by a key such as a template. Kept in memory and bounded; evicted keys are unknown again.
 * One long run counts immediately, because it must not happen again; many short ones are needed to outweigh it.
 */
export class WorkTimes {
  readonly #times = new LRUCache<string, Times>({ max: maxKeys });

  /** The usual time in milliseconds; undefined for unknown work. */
  usualMs(key: string | undefined): number | undefined {
    return key === undefined ? undefined : this.#times.get(key)?.usualMs;
  }

  /** The usual time of successes in milliseconds; 0 when none is known or a longer run has failed since. */
  successMs(key: string | undefined): number {
    return key === undefined ? 0 : (this.#times.get(key)?.successMs ?? 0);
  }

  recordSuccess(key: string | undefined, ms: number): void {
    if (key === undefined) return;
    const known = this.#times.get(key);
    this.#times.set(key, { usualMs: next(known?.usualMs, ms), successMs: next(known?.successMs, ms) });
  }

  /** Records a run that was stopped or failed after this time. */
  recordFailure(key: string | undefined, ms: number): void {
    if (key === undefined) return;
    this.#times.set(key, { usualMs: Math.max(this.#times.get(key)?.usualMs ?? 0, ms), successMs: 0 });
  }
}

function next(knownMs: number | undefined, ms: number): number {
  return knownMs === undefined || ms > knownMs ? ms : knownMs - (knownMs - ms) * fall;
}
