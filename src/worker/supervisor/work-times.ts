import { LRUCache } from 'lru-cache';

interface Times {
  readonly usualMs: number;
  /** As `usualMs`, of successes only. Zero after a stop or a failure. */
  readonly successMs: number;
}

const maxKeys = 10_000;
/** Part of the difference to a shorter time by which a record falls. A record rises at once. */
const fall = 0.1;

/**
 * What work usually takes, by a key such as a template. In memory and bounded: a key that is forgotten is unknown again. One
 * long run counts at once, because it must not repeat; many short ones are needed to forget it.
 */
export class WorkTimes {
  readonly #times = new LRUCache<string, Times>({ max: maxKeys });

  /** Milliseconds; undefined for work that is not known. */
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
