import {
  FairSharing,
  type Outcome,
  type SharedRequest,
  type SharingOptions,
  type Slots,
  type SlotUse,
} from './fair-sharing.ts';
import { type Slot, SlotSupervisor, type SupervisorOptions } from './slot-supervisor.ts';

export interface SlotPoolOptions<S extends Slot> extends SupervisorOptions<S>, SharingOptions {
  readonly errors: {
    readonly unavailable: () => Error;
    readonly closing: () => Error;
  };
}

export interface UseOptions<S> {
  /** The account that the work belongs to. Default: all requests without an account share one. */
  readonly account?: string | undefined;
  /** Identifies work that takes a similar time, such as a template. Default: the work is never considered quick. */
  readonly work?: string | undefined;
  /** Aborts the wait for the result; a running request keeps its slot until it is done. */
  readonly signal?: AbortSignal | undefined;
  /** Picks one of the idle slots. Default: the one that has been idle longest. */
  readonly choose?: ((idle: readonly S[]) => S | undefined) | undefined;
}

export interface PoolCounts {
  readonly warm: number;
  readonly busy: number;
  readonly waiting: number;
  readonly restarts: number;
  readonly kills: number;
  /** Requests that were stopped at their first limit because another account waited. */
  readonly stops: number;
}

/** Thrown by a slot that did not start the request, so that another slot may serve it. */
export class SlotUnresponsive extends Error {}

interface PoolRequest<S> extends SharedRequest {
  readonly choose: UseOptions<S>['choose'];
  attempts: number;
  isSettled: boolean;
  /** Resolves the caller's promise when the slot has served the request. */
  attempt(slot: S): Promise<void>;
  fail(error: unknown): void;
}

const maxAttempts = 3;

/**
 * Serves requests, one at a time per slot, from slots that a supervisor keeps warm and accounts share fairly. The
 * caller limits how many wait.
 */
export class SlotPool<S extends Slot> {
  readonly #options: SlotPoolOptions<S>;
  readonly #supervisor: SlotSupervisor<S>;
  readonly #sharing: FairSharing<PoolRequest<S>>;
  /** In order of arrival. An unserved request keeps its position; a stopped one goes to the end. */
  readonly #waiting: PoolRequest<S>[] = [];
  readonly #running = new Map<PoolRequest<S>, S>();
  readonly #stopping = new Set<PoolRequest<S>>();
  /** What a slot was used for last. */
  readonly #lastUses = new WeakMap<S, SlotUse>();
  #stops = 0;
  #overrunTimer: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: SlotPoolOptions<S>) {
    this.#options = options;
    this.#sharing = new FairSharing(options);
    this.#supervisor = new SlotSupervisor(options, {
      onIdle: () => this.#dispatch(),
      onIdleLost: (slot) => this.#noteLoss(slot),
      onStartFailed: () => this.#sharing.forgetLosses(),
      onUnavailable: () => this.#failWaiting(options.errors.unavailable()),
    });
  }

  /** Starts the slots in the background, unless they were started before. */
  begin(): void {
    this.#supervisor.begin();
  }

  /** Resolves when the first slot is warm. If none could be started, cleans up and rejects. */
  async start(): Promise<void> {
    try {
      await this.#supervisor.start();
    } catch (error) {
      await this.#supervisor.close();
      throw error;
    }
  }

  get isUnavailable(): boolean {
    return this.#supervisor.isUnavailable;
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  counts(): PoolCounts {
    const { warm, busy, restarts, kills } = this.#supervisor;
    return { warm, busy, waiting: this.#waiting.length, restarts, kills, stops: this.#stops };
  }

  /** The number of waiting requests of an account. */
  waitingOf(account: string): number {
    return this.#waiting.filter((request) => request.account === account).length;
  }

  /**
   * Runs `use` with exclusive access to a slot. `waitMs` is the time from the call to this attempt. When the request is
   * stopped in favour of another account, the slot is destroyed, the result of `use` is ignored, and `use` is called again later.
   */
  async use<T>(use: (slot: S, waitMs: number) => Promise<T>, options: UseOptions<S> = {}): Promise<T> {
    const { account = '', work, signal, choose } = options;
    const { errors } = this.#options;
    signal?.throwIfAborted();
    if (this.isClosed) throw errors.closing();
    if (this.isUnavailable) throw errors.unavailable();
    const queuedAtMs = performance.now();
    let onAbort = (): void => undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        const request: PoolRequest<S> = {
          account,
          work,
          queuedAtMs,
          choose,
          attempts: 0,
          wasStopped: false,
          isSettled: false,
          attempt: async (slot) => resolve(await use(slot, performance.now() - queuedAtMs)),
          fail(error) {
            this.isSettled = true;
            reject(error);
          },
        };
        this.#waiting.push(request);
        onAbort = () => {
          this.#forget(request);
          request.fail(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort);
        this.#sharing.noteUse(account, queuedAtMs);
        this.#dispatch();
      });
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Fails waiting and running requests, and kills every process. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#overrunTimer);
    this.#failWaiting(this.#options.errors.closing());
    for (const request of this.#running.keys()) request.fail(this.#options.errors.closing());
    await this.#supervisor.close();
  }

  #dispatch(): void {
    for (;;) {
      const slots = this.#slots();
      const next = this.#sharing.pick(this.#waiting, slots, performance.now());
      if (next === undefined) break;
      const slot = this.#supervisor.acquire(next.choose);
      if (slot === undefined) break;
      this.#forget(next);
      this.#sharing.start(next, slots, performance.now());
      void this.#serve(slot, next);
    }
    this.#stopOverruns();
  }

  #slots(): Slots {
    const { free, capacity, pending } = this.#supervisor;
    return { free, capacity, pending };
  }

  async #serve(slot: S, request: PoolRequest<S>): Promise<void> {
    this.#running.set(request, slot);
    request.attempts++;
    let outcome: Outcome = 'failed';
    try {
      await request.attempt(slot);
      outcome = 'succeeded';
    } catch (error) {
      if (this.#stopping.has(request)) outcome = 'stopped';
      else if (error instanceof SlotUnresponsive) outcome = 'unserved';
      else request.fail(error);
    }
    this.#running.delete(request);
    this.#stopping.delete(request);
    this.#sharing.end(request, outcome, performance.now());
    const { account, work } = request;
    // A slot that did not begin this request was lost to the work before it.
    if (outcome !== 'unserved') this.#lastUses.set(slot, { account, work });
    if (slot.isGone) this.#noteLoss(slot);
    if (outcome === 'stopped') this.#serveLater(request);
    if (outcome === 'unserved') this.#serveAgain(request);
    this.#supervisor.release(slot, outcome === 'succeeded');
    this.#dispatch();
  }

  #noteLoss(slot: S): void {
    const use = this.#lastUses.get(slot);
    if (use !== undefined) this.#sharing.noteLoss(use);
  }

  #serveAgain(request: PoolRequest<S>): void {
    if (request.attempts < maxAttempts && !request.isSettled) this.#waiting.unshift(request);
    else request.fail(this.#options.errors.unavailable());
  }

  #serveLater(request: PoolRequest<S>): void {
    request.attempts--;
    request.wasStopped = true;
    if (!request.isSettled) this.#waiting.push(request);
  }

  /** Stops requests that have held their slots for too long while another account waits. */
  #stopOverruns(): void {
    clearTimeout(this.#overrunTimer);
    if (this.isClosed) return;
    const nowMs = performance.now();
    const { stop, nextAtMs } = this.#sharing.takeOverruns(this.#waiting, this.#slots(), nowMs);
    for (const request of stop) {
      const slot = this.#running.get(request);
      if (slot === undefined) continue;
      this.#options.logger.info(
        `${this.#options.name} was stopped: its document takes too long while another account waits`,
      );
      this.#stops++;
      this.#stopping.add(request);
      this.#supervisor.stop(slot);
    }
    if (Number.isFinite(nextAtMs)) this.#overrunTimer = setTimeout(() => this.#dispatch(), nextAtMs - nowMs);
  }

  #forget(request: PoolRequest<S>): void {
    const index = this.#waiting.indexOf(request);
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  #failWaiting(error: Error): void {
    for (const request of this.#waiting.splice(0)) request.fail(error);
  }
}
