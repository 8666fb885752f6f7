import { LRUCache } from 'lru-cache';
import { WorkTimes } from './work-times.ts';

export interface SharingOptions {
  /** Time limit of a request in milliseconds, as its slot enforces it. */
  readonly timeLimitMs: number;
  /** Work that usually takes at most this long may use the last free slot even if its account holds other slots. */
  readonly quickMs: number;
  /** Whether the last free slot is reserved for accounts that hold none. */
  readonly keepsSlotFree: boolean;
}

/** What a slot is used for. */
export interface SlotUse {
  readonly account: string;
  /** Identifies work that takes a similar time, such as a template. */
  readonly work: string | undefined;
}

export interface SharedRequest extends SlotUse {
  readonly queuedAtMs: number;
  /** True after the request exceeded its first limit while another account waited. Its next run has the full limit. */
  wasStopped: boolean;
}

export interface Slots {
  readonly free: number;
  /** Slots expected to work: all of them, or only the warm ones while starts fail. */
  readonly capacity: number;
  /** Slots that are being started. */
  readonly pending: number;
}

/** How a run ended. `stopped`: in favour of another account. `unserved`: the slot did not begin it. */
export type Outcome = 'succeeded' | 'failed' | 'stopped' | 'unserved';

interface Running {
  readonly startedAtMs: number;
  /** Time after which the run is stopped if another account waits for its slot. */
  readonly limitMs: number;
  readonly isLong: boolean;
  isStopping: boolean;
}

const maxAccounts = 10_000;
/**
 * After this long without requests from other accounts, an account may use every slot even for work that is not quick.
 */
const aloneAfterMs = 60_000;

/**
 * Decides which waiting request gets a slot, and which running one must give up its slot. Times are those of
 * `performance.now()`.
 *
 * - The next slot goes to the account that holds the fewest; among these, to the one served least recently; then in
 *   order of arrival. An account whose work cost a slot holds it until the replacement is warm. Otherwise an account
 *   whose documents crash or hang one after another would have every slot in turn.
 * - The last free slot goes only to an account that holds none, or to work known to be quick.
 * - While another account waits, work may run for a fifth of the time limit, or three times as long as its key usually
 *   takes. Then it is stopped and gets the full limit at its second run; its account comes last for a while.
 * - At least one slot never runs work with a longer limit, so that no account waits only for long work.
 */
export class FairSharing<R extends SharedRequest> {
  readonly #options: SharingOptions;
  readonly #firstLimitMs: number;
  readonly #times = new WorkTimes();
  readonly #running = new Map<R, Running>();
  /** For each slot that is being replaced, the account whose work crashed or hung it; the oldest loss first. */
  readonly #lost: string[] = [];
  /** The sequence number of each account's last start. */
  readonly #lastStarts = new LRUCache<string, number>({ max: maxAccounts });
  /** The time until which an account comes last. */
  readonly #lastUntilMs = new LRUCache<string, number>({ max: maxAccounts });
  #starts = 0;
  #latest = { account: '', atMs: Number.NEGATIVE_INFINITY };
  #latestOther = this.#latest;

  constructor(options: SharingOptions) {
    this.#options = options;
    this.#firstLimitMs = options.timeLimitMs / 5;
  }

  /** Call it when an account sends a request, and when one of its requests ends. */
  noteUse(account: string, nowMs: number): void {
    if (account !== this.#latest.account) this.#latestOther = this.#latest;
    this.#latest = { account, atMs: nowMs };
  }

  /** The request that gets the next free slot. `waiting` is in order of arrival. */
  pick(waiting: readonly R[], slots: Slots, nowMs: number): R | undefined {
    if (slots.free === 0) return undefined;
    const held = this.#countHeld(slots);
    const longLimit = this.#isForOneAccount(waiting) ? slots.capacity : slots.capacity - 1;
    const mayRunLong = this.#countLong() < Math.max(1, longLimit);
    const rankOf = ({ account }: R): readonly number[] => [
      this.#comesLast(account, nowMs) ? 1 : 0,
      held.get(account) ?? 0,
      this.#lastStarts.get(account) ?? 0,
    ];
    let best: R | undefined;
    for (const request of waiting) {
      if (!mayRunLong && this.#isLong(request)) continue;
      if (this.#isKeptFree(slots) && held.has(request.account) && !this.#isQuick(request, nowMs)) continue;
      if (best === undefined || isLess(rankOf(request), rankOf(best))) best = request;
    }
    return best;
  }

  /** Records that a request got a slot; `slots` is the state before. */
  start(request: R, slots: Slots, nowMs: number): void {
    const { account, work } = request;
    const isExtra = this.#isKeptFree(slots) && this.#countHeld(slots).has(account);
    const extraMs = Math.max(this.#options.timeLimitMs / 30, 4 * (this.#times.usualMs(work) ?? 0));
    const ownMs = this.#limitMs(request);
    const limitMs = isExtra ? Math.min(extraMs, ownMs) : ownMs;
    this.#running.set(request, { startedAtMs: nowMs, limitMs, isLong: this.#isLong(request), isStopping: false });
    this.#lastStarts.set(account, ++this.#starts);
  }

  end(request: R, outcome: Outcome, nowMs: number): void {
    const { account, work } = request;
    const ranMs = nowMs - (this.#running.get(request)?.startedAtMs ?? nowMs);
    this.#running.delete(request);
    this.noteUse(account, nowMs);
    if (outcome === 'succeeded') this.#times.recordSuccess(work, ranMs);
    if (outcome === 'failed' && ranMs > this.#options.quickMs) this.#times.recordFailure(work, ranMs);
  }

  /** Records that a slot was lost during this work or after it. It costs as much as long work. */
  noteLoss({ account, work }: SlotUse): void {
    this.#lost.push(account);
    this.#times.recordFailure(work, this.#firstLimitMs);
  }

  /**
   * Ends all losses, because a replacement could not be started. Otherwise the accounts would hold slots that may not come
   * back, and others that keep sending would always be served before them.
   */
  forgetLosses(): void {
    this.#lost.length = 0;
  }

  /**
   * Returns running requests that must give up their slots to waiting ones, each only once, and the time of the next
   * call. Slots that are being replaced count as available to waiting requests.
   */
  takeOverruns(waiting: readonly R[], slots: Slots, nowMs: number): { readonly stop: readonly R[]; nextAtMs: number } {
    const stop: R[] = [];
    let nextAtMs = Number.POSITIVE_INFINITY;
    if (waiting.length === 0 || slots.free > 0) return { stop, nextAtMs };
    const held = this.#countHeld(slots);
    const mayRunLong = this.#countLong() < Math.max(1, slots.capacity - 1);
    const mayStop = [...this.#running].filter(([, { isStopping }]) => !isStopping);
    let replacements = slots.pending + this.#running.size - mayStop.length;
    for (const [account, queuedAtMs] of this.#firstInLine(waiting, mayRunLong, nowMs)) {
      const waitsUntilMs = queuedAtMs + this.#options.timeLimitMs / 60;
      const [next] = mayStop
        .filter(([request, { isStopping }]) => !isStopping && isBehind(held, account, request.account))
        .map(([request, running]) => ({ request, running, atMs: running.startedAtMs + running.limitMs }))
        .sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) continue;
      const dueAtMs = Math.max(next.atMs, waitsUntilMs);
      if (dueAtMs > nowMs) nextAtMs = Math.min(nextAtMs, dueAtMs);
      else if (replacements > 0) replacements -= 1;
      else {
        const { request, running } = next;
        running.isStopping = true;
        this.#times.recordFailure(request.work, nowMs - running.startedAtMs);
        this.#lastUntilMs.set(request.account, nowMs + this.#options.timeLimitMs);
        stop.push(request);
      }
    }
    return { stop, nextAtMs };
  }

  /** The time at which the first request of each waiting account that may take another's slot was queued. */
  #firstInLine(waiting: readonly R[], mayRunLong: boolean, nowMs: number): ReadonlyMap<string, number> {
    const first = new Map<string, number>();
    for (const request of waiting) {
      const { account, queuedAtMs, wasStopped } = request;
      if (first.has(account) || wasStopped || this.#comesLast(account, nowMs)) continue;
      if (mayRunLong || !this.#isLong(request)) first.set(account, queuedAtMs);
    }
    return first;
  }

  #isKeptFree({ free, capacity }: Slots): boolean {
    return this.#options.keepsSlotFree && free === 1 && capacity > 1;
  }

  /** If no slot must be kept free, one account may use all of them for long work while it is alone. */
  #isForOneAccount(waiting: readonly R[]): boolean {
    const accounts = new Set([...waiting, ...this.#running.keys()].map(({ account }) => account));
    return !this.#options.keepsSlotFree && accounts.size <= 1;
  }

  #isQuick({ account, work }: R, nowMs: number): boolean {
    const { timeLimitMs, quickMs } = this.#options;
    const other = this.#latest.account === account ? this.#latestOther : this.#latest;
    const isAlone = nowMs - other.atMs > aloneAfterMs;
    const usualMs = this.#times.usualMs(work) ?? Number.POSITIVE_INFINITY;
    return usualMs <= (isAlone ? timeLimitMs / 20 : quickMs) && !this.#comesLast(account, nowMs);
  }

  #isLong(request: R): boolean {
    return this.#limitMs(request) > this.#firstLimitMs;
  }

  #limitMs({ work, wasStopped }: R): number {
    const { timeLimitMs } = this.#options;
    const limitMs = Math.max(this.#firstLimitMs, 3 * this.#times.successMs(work));
    // The slot itself enforces the time limit.
    return wasStopped || limitMs >= timeLimitMs ? Number.POSITIVE_INFINITY : limitMs;
  }

  #comesLast(account: string, nowMs: number): boolean {
    return (this.#lastUntilMs.get(account) ?? 0) > nowMs;
  }

  #countLong(): number {
    return [...this.#running.values()].filter(({ isLong }) => isLong).length;
  }

  #countHeld({ pending }: Slots): ReadonlyMap<string, number> {
    this.#lost.splice(0, this.#lost.length - pending);
    const held = new Map<string, number>();
    const running = [...this.#running.keys()].map(({ account }) => account);
    for (const account of [...running, ...this.#lost]) held.set(account, (held.get(account) ?? 0) + 1);
    return held;
  }
}

/** Whether an account holds no slot, or would still hold no more than the other after taking one of its slots. */
function isBehind(held: ReadonlyMap<string, number>, account: string, other: string): boolean {
  const own = held.get(account) ?? 0;
  return account !== other && (own === 0 || own + 1 < (held.get(other) ?? 0));
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
