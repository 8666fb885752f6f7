import { type Slot, SlotSupervisor, type SupervisorOptions } from './slot-supervisor.ts';
import { WaitQueue } from './wait-queue.ts';

export interface SlotPoolOptions<S extends Slot> extends SupervisorOptions<S> {
  /** Maximum number of waiting requests; more are rejected. */
  readonly maxWaiting: number;
  readonly errors: {
    readonly full: () => Error;
    readonly unavailable: () => Error;
    readonly closing: () => Error;
  };
}

export interface UseOptions<S> {
  /** The account whose work this is. Default: all requests without an account share one. */
  readonly account?: string | undefined;
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
}

/** Thrown by a slot that did not start the request, so that another slot may serve it. */
export class SlotUnresponsive extends Error {}

interface PoolRequest<S> {
  readonly account: string;
  readonly choose: UseOptions<S>['choose'];
  attempts: number;
  isSettled: boolean;
  /** Resolves the caller's promise when the slot has served the request. */
  attempt(slot: S): Promise<void>;
  fail(error: unknown): void;
}

const maxAttempts = 3;

/** Serves requests in FIFO order, one at a time per slot, from slots that a supervisor keeps warm. */
export class SlotPool<S extends Slot> {
  readonly #errors: SlotPoolOptions<S>['errors'];
  readonly #supervisor: SlotSupervisor<S>;
  readonly #waiting: WaitQueue<PoolRequest<S>>;
  readonly #running = new Set<PoolRequest<S>>();
  #closed: Promise<void> | undefined;

  constructor(options: SlotPoolOptions<S>) {
    this.#errors = options.errors;
    this.#waiting = new WaitQueue(options.maxWaiting);
    this.#supervisor = new SlotSupervisor(options, {
      onIdle: () => this.#dispatch(),
      onUnavailable: () => this.#failWaiting(this.#errors.unavailable()),
    });
  }

  /** Starts the slots in the background. */
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
    return { warm, busy, waiting: this.#waiting.size, restarts, kills };
  }

  /** The number of waiting requests of an account. */
  waitingOf(account: string): number {
    return this.#waiting.count((request) => request.account === account);
  }

  /** Runs `use` with exclusive access to a slot. `waitMs` is the time from the call to this attempt. */
  async use<T>(use: (slot: S, waitMs: number) => Promise<T>, options: UseOptions<S> = {}): Promise<T> {
    const { account = '', signal, choose } = options;
    signal?.throwIfAborted();
    if (this.isClosed) throw this.#errors.closing();
    if (this.isUnavailable) throw this.#errors.unavailable();
    const queuedAt = performance.now();
    let onAbort = (): void => undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        const request: PoolRequest<S> = {
          account,
          choose,
          attempts: 0,
          isSettled: false,
          attempt: async (slot) => resolve(await use(slot, performance.now() - queuedAt)),
          fail(error) {
            this.isSettled = true;
            reject(error);
          },
        };
        if (!this.#waiting.push(request)) {
          reject(this.#errors.full());
          return;
        }
        onAbort = () => {
          this.#waiting.remove(request);
          request.fail(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort);
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
    this.#failWaiting(this.#errors.closing());
    for (const request of this.#running) request.fail(this.#errors.closing());
    await this.#supervisor.close();
  }

  #dispatch(): void {
    for (let next = this.#waiting.peek(); next !== undefined; next = this.#waiting.peek()) {
      const slot = this.#supervisor.acquire(next.choose);
      if (slot === undefined) return;
      this.#waiting.take();
      void this.#serve(slot, next);
    }
  }

  async #serve(slot: S, request: PoolRequest<S>): Promise<void> {
    this.#running.add(request);
    request.attempts++;
    let hasWorked = false;
    try {
      await request.attempt(slot);
      hasWorked = true;
    } catch (error) {
      if (!(error instanceof SlotUnresponsive)) request.fail(error);
      else if (request.attempts < maxAttempts && !request.isSettled) this.#waiting.putBack(request);
      else request.fail(this.#errors.unavailable());
    } finally {
      this.#running.delete(request);
      this.#supervisor.release(slot, hasWorked);
      this.#dispatch();
    }
  }

  #failWaiting(error: Error): void {
    for (const request of this.#waiting.takeAll()) request.fail(error);
  }
}
