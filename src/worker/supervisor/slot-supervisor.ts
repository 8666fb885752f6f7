import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../shared/logger.ts';
import { type HealthCheck, IdleChecks } from './idle-checks.ts';
import { startInTime, type TimedStart } from './start-in-time.ts';

/** One supervised process. Engines extend it with their operations. */
export interface Slot {
  /** Resolves with the reason once the process has ended for any reason. */
  readonly ended: Promise<string>;
  /** The process has ended or is being killed. */
  readonly isGone: boolean;
  /** Whether its end counts in `kills`. */
  readonly wasKilled: boolean;
  /** Kills the process with everything it started, and removes its files. Safe to call twice. */
  destroy(): Promise<void>;
}

export interface SupervisorOptions<S extends Slot> extends TimedStart<S> {
  /** Name of a slot in log messages, with its article. */
  readonly name: string;
  readonly slots: number;
  /** Pause before the next start after this many failures in a row. */
  readonly retryDelayMs: (failures: number) => number;
  /** `isUnavailable` becomes true after this many failures in a row while no slot is warm. */
  readonly unavailableAfter: number;
  /**
   * `quick`: a started process counts as working, and requests may wait for a pending start. `slow`: a process counts as
   * working after its first completed request, and requests fail immediately while starts keep failing.
   */
  readonly starts: 'quick' | 'slow';
  /** The reason why an idle slot should be replaced, if any. */
  readonly whyExpired?: ((slot: S) => string | undefined) | undefined;
  readonly healthCheck?: HealthCheck<S> | undefined;
  readonly logger: Logger;
}

export interface SupervisorEvents<S> {
  /** A slot became idle, or fewer slots are expected to work. */
  readonly onIdle: () => void;
  /** An idle slot was lost. */
  readonly onIdleLost: (slot: S) => void;
  /** A slot could not be started; another attempt follows. */
  readonly onStartFailed: () => void;
  readonly onUnavailable: () => void;
}

/**
 * Keeps a fixed number of processes warm, off the path of requests. A slot passes through these states:
 *
 *     starting ──▶ idle ⇄ busy ──▶ gone
 *
 * A slot that ends or is killed is replaced immediately, with growing pauses while starts fail. An expired slot stays in use
 * until its replacement is warm; then it is destroyed, after draining if it is busy. Slots expire one at a time.
 */
export class SlotSupervisor<S extends Slot> {
  readonly #options: SupervisorOptions<S>;
  readonly #events: SupervisorEvents<S>;
  readonly #closing = new AbortController();
  readonly #idle: S[] = [];
  readonly #busy = new Set<S>();
  /** Busy slots to destroy once they are released. */
  readonly #draining = new Set<S>();
  readonly #proven = new WeakSet<S>();
  readonly #background = new Set<Promise<void>>();
  /** Slots that the pool stopped, which do not count as kills. */
  readonly #stopped = new WeakSet<S>();
  readonly #checks: IdleChecks<S> | undefined;
  #expired: S | undefined;
  /** Starts in progress or waiting for their retry pause. */
  #pending = 0;
  #starting = 0;
  #failures = 0;
  #warmStarts = 0;
  #kills = 0;
  #firstWarm: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(options: SupervisorOptions<S>, events: SupervisorEvents<S>) {
    this.#options = options;
    this.#events = events;
    const { healthCheck } = options;
    this.#checks = healthCheck === undefined ? undefined : new IdleChecks(healthCheck, () => this.#usable());
  }

  /** Starts all slots in the background and keeps trying. */
  begin(): void {
    this.#fill();
  }

  /**
   * Starts all slots, again after failures. Resolves when the first is warm; rejects after `unavailableAfter` failures of
   * each slot, or at `close`.
   */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#firstWarm = { resolve, reject };
      this.#fill();
    });
  }

  get warm(): number {
    return this.#idle.length + this.#busy.size;
  }

  get busy(): number {
    return this.#busy.size;
  }

  get kills(): number {
    return this.#kills;
  }

  get restarts(): number {
    return Math.max(0, this.#warmStarts - this.#options.slots);
  }

  /** Idle slots that can be acquired. */
  get free(): number {
    return this.#usable().length;
  }

  /** Slots that are being started. */
  get pending(): number {
    return this.#pending;
  }

  /** Slots expected to work: all of them, or only the warm ones while starts fail. */
  get capacity(): number {
    return this.#failures > 0 ? this.warm : this.#options.slots;
  }

  get isUnavailable(): boolean {
    const { starts, unavailableAfter } = this.#options;
    const mayComeSoon = starts === 'quick' && this.#starting > 0;
    return this.warm === 0 && this.#failures >= unavailableAfter && !mayComeSoon;
  }

  /** Acquires the slot that has been idle longest, or the one that `choose` picks. */
  acquire(choose: (idle: readonly S[]) => S | undefined = (idle) => idle[0]): S | undefined {
    const usable = this.#usable();
    const unchecked = usable.filter((slot) => this.#checks?.isChecking(slot) !== true);
    const slot = choose(unchecked.length > 0 ? unchecked : usable);
    if (slot === undefined) return undefined;
    this.#checks?.take(slot);
    this.#idle.splice(this.#idle.indexOf(slot), 1);
    this.#busy.add(slot);
    return slot;
  }

  /** Kills a busy slot and replaces it. */
  stop(slot: S): void {
    this.#stopped.add(slot);
    this.#track(slot.destroy());
  }

  release(slot: S, hasWorked: boolean): void {
    if (hasWorked) this.#prove(slot);
    if (!this.#busy.has(slot)) return;
    if (slot.isGone) this.#lose(slot, 'killed');
    else if (this.#draining.has(slot)) this.#retire(slot);
    else {
      this.#busy.delete(slot);
      this.#idle.push(slot);
      this.#replaceIfExpired(slot);
      this.#events.onIdle();
    }
  }

  /** Kills every process and settles when all of them have ended. */
  async close(): Promise<void> {
    this.#checks?.stop();
    this.#closing.abort(new Error('the pool is closing'));
    this.#firstWarm?.reject(this.#closing.signal.reason);
    this.#firstWarm = undefined;
    for (const slot of [...this.#idle, ...this.#busy]) this.#retire(slot);
    while (this.#background.size > 0) await Promise.all(this.#background);
  }

  #prove(slot: S): void {
    this.#proven.add(slot);
    this.#failures = 0;
  }

  #replaceIfExpired(slot: S): void {
    const reason = this.#expired === undefined ? this.#options.whyExpired?.(slot) : undefined;
    if (reason === undefined) return;
    this.#expired = slot;
    this.#options.logger.info({ reason }, `${this.#options.name} will be replaced`);
    this.#fill();
  }

  #fill(): void {
    if (this.#closing.signal.aborted) return;
    const staying = this.warm - this.#draining.size - (this.#expired === undefined ? 0 : 1);
    for (let count = staying + this.#pending; count < this.#options.slots; count++) this.#track(this.#startOne());
  }

  async #startOne(): Promise<void> {
    this.#pending++;
    const { signal } = this.#closing;
    const startedAt = performance.now();
    try {
      const pauseMs = this.#failures > 0 ? this.#options.retryDelayMs(this.#failures) : 0;
      if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
      this.#starting++;
      const slot = await startInTime(this.#timedStart(), signal).finally(() => this.#starting--);
      this.#pending--;
      this.#adopt(slot, performance.now() - startedAt);
    } catch (error) {
      this.#pending--;
      if (!signal.aborted) this.#onStartFailed(error);
    }
  }

  /** A busy machine may need longer than the limit, so later attempts get up to four times as long. */
  #timedStart(): TimedStart<S> {
    const { start, startTimeoutMs, startTimeoutHint } = this.#options;
    return { start, startTimeoutMs: startTimeoutMs * Math.min(2 ** this.#failures, 4), startTimeoutHint };
  }

  #adopt(slot: S, startMs: number): void {
    if (this.#closing.signal.aborted) {
      this.#retire(slot);
      return;
    }
    this.#warmStarts++;
    if (this.#options.starts === 'quick') this.#prove(slot);
    this.#idle.push(slot);
    this.#track(slot.ended.then((reason) => this.#onEnd(slot, reason)));
    this.#options.logger.info({ startMs: Math.round(startMs) }, `${this.#options.name} is ready`);
    if (this.#expired !== undefined) this.#drain(this.#expired);
    this.#firstWarm?.resolve();
    this.#firstWarm = undefined;
    this.#fill();
    this.#events.onIdle();
  }

  #drain(expired: S): void {
    this.#expired = undefined;
    if (this.#busy.has(expired)) this.#draining.add(expired);
    else this.#retire(expired);
  }

  #retire(slot: S): void {
    this.#forget(slot);
    this.#track(slot.destroy());
  }

  /** False for a slot that is no longer known. */
  #forget(slot: S): boolean {
    const index = this.#idle.indexOf(slot);
    if (index >= 0) this.#idle.splice(index, 1);
    const wasBusy = this.#busy.delete(slot);
    this.#draining.delete(slot);
    if (this.#expired === slot) this.#expired = undefined;
    return index >= 0 || wasBusy;
  }

  async #onEnd(slot: S, reason: string): Promise<void> {
    this.#lose(slot, reason);
    await slot.destroy();
  }

  #lose(slot: S, reason: string): void {
    const wasIdle = this.#idle.includes(slot);
    if (!this.#forget(slot)) return;
    if (slot.wasKilled && !this.#stopped.has(slot)) this.#kills++;
    // A process that ends before its first request counts as a failed start.
    if (wasIdle && !this.#proven.has(slot)) this.#failures++;
    this.#options.logger.warn({ reason, wasIdle }, `${this.#options.name} was lost`);
    if (wasIdle) this.#events.onIdleLost(slot);
    this.#fill();
  }

  #onStartFailed(error: unknown): void {
    this.#failures++;
    this.#options.logger.error({ err: error, failures: this.#failures }, `${this.#options.name} could not be started`);
    if (this.#firstWarm !== undefined && this.#failures >= this.#options.unavailableAfter * this.#options.slots) {
      if (this.#pending === 0) this.#firstWarm.reject(error);
      return;
    }
    this.#events.onStartFailed();
    if (this.isUnavailable) this.#events.onUnavailable();
    this.#fill();
    this.#events.onIdle();
  }

  #usable(): readonly S[] {
    return this.#idle.filter(({ isGone }) => !isGone);
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error }, `${this.#options.name} could not be maintained`),
      )
      .finally(() => this.#background.delete(tracked));
    this.#background.add(tracked);
  }
}
