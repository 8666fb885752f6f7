import type { Logger } from '../shared/logger.ts';
import {
  type Assignment,
  type FairQueue,
  type Finish,
  idleMs,
  type Taken,
  type TakingTicket,
} from '../shared/queue/fair/fair-queue.ts';

/** Thrown for a ticket that was still unused when the worker closed. The ticket returns to its queue. */
export class TicketUnused extends Error {}

/** Assigns the waiting entries of a fair queue to the tickets of this worker. */
export interface HandOut {
  /**
   * Waits until an entry may be taken; undefined when the ticket is not needed. The caller holds a permit for the
   * entry's account until `release`. Throws `TicketUnused` when the worker closes.
   */
  take(ticket: HeldTicket): Promise<Assignment | undefined>;
  /** Records the end of an entry's run, with the next call of `take` or soon. */
  finish(finish: Finish): void;
  release(accountId: string): void;
  /** Reports that an entry of the account arrived. */
  wake(accountId: string): void;
  /** Reports that the queue counts on this idle ticket to take an entry. */
  wakeTicket(id: string): void;
  /** Records what no call of `take` has recorded. */
  flush(): Promise<void>;
  /** Resolves when no ticket is idle any more. */
  close(): Promise<void>;
}

export type HeldTicket = Pick<TakingTicket, 'id' | 'token'>;

export interface HandOutOptions {
  readonly queue: Pick<FairQueue, 'take' | 'finish'>;
  readonly workerId: string;
  /** The number of permits of this worker. The last one serves only an account that holds no other. */
  readonly permits: number;
  readonly permitsPerAccount: number;
  /** Whether the account's work already waits for engines here, so that another worker should take further entries. */
  isSaturated(accountId: string): boolean;
  addTickets(count: number): Promise<void>;
  /** While paused, takes nothing and keeps tickets waiting. */
  isPaused?(): boolean;
  /** Paused accounts, whose entries keep waiting. */
  pausedAccounts?(): ReadonlySet<string>;
  readonly logger: Logger;
}

interface WaitingTicket {
  readonly ticket: HeldTicket;
  /** False for a ticket that has been idle for long enough. */
  mayStay: boolean;
  /** True for a ticket that was refused because of its worker's permits. */
  isKnown: boolean;
  /** While idle: since when. */
  idleSinceMs: number;
  readonly resolve: (assignment: Assignment | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Polls in case the message about an arrival is lost, and because engines become free without notice. */
const pollMs = 250;
/** Finishes that no `take` carries are recorded after this time. */
const flushMs = 5;

/** Takes entries for all waiting tickets in one call, one call at a time, so that permits are counted exactly. */
export function createHandOut(options: HandOutOptions): HandOut {
  const { queue, workerId, permits, permitsPerAccount, isSaturated, logger } = options;
  const held = new Map<string, number>();
  let waiting: WaitingTicket[] = [];
  /** Tickets that stay although no entry waits, until the queue wakes them. */
  const idle = new Map<string, WaitingTicket>();
  /** The tickets of the call in progress, and those of them that were woken before its response arrived. */
  let asked: readonly WaitingTicket[] = [];
  const wokenEarly = new Set<string>();
  let finishes: Finish[] = [];
  let inUse = 0;
  let taking: Promise<void> | undefined;
  /** Nothing may be taken until something changes. */
  let isExhausted = false;
  let isClosed = false;

  const addTickets = (count: number): void => {
    options
      .addTickets(count)
      .catch((error: unknown) => logger.warn({ err: error }, 'tickets could not be added; the sweep adds them'));
  };

  const hold = ({ accountId }: Assignment): void => {
    inUse += 1;
    held.set(accountId, (held.get(accountId) ?? 0) + 1);
  };

  const settle = ({ takings }: Taken): void => {
    const unserved: WaitingTicket[] = [];
    for (const [index, each] of asked.entries()) {
      const taking = takings[index] ?? 'end';
      if (typeof taking === 'object') {
        hold(taking);
        each.resolve(taking);
      } else if (taking === 'end') each.resolve(undefined);
      else if (taking === 'idle' && !isClosed && !wokenEarly.delete(each.ticket.id)) {
        each.idleSinceMs = performance.now();
        each.isKnown = false;
        idle.set(each.ticket.id, each);
      } else if (taking === 'wait' && isClosed) each.reject(new TicketUnused());
      else {
        if (taking === 'idle') isExhausted = false;
        each.isKnown = taking === 'wait';
        unserved.push(each);
      }
    }
    waiting = [...unserved, ...waiting];
  };

  const takeOnce = async (): Promise<void> => {
    asked = waiting;
    waiting = [];
    isExhausted = true;
    const ended = finishes;
    finishes = [];
    const heldPermits = new Map(
      [...held].map(([account, count]) => [account, isSaturated(account) ? permitsPerAccount : count]),
    );
    // Paused accounts count as holding all their permits.
    for (const account of options.pausedAccounts?.() ?? []) heldPermits.set(account, permitsPerAccount);
    try {
      const tickets = asked.map(({ ticket, mayStay, isKnown }) => ({
        ...ticket,
        mayStay: mayStay && !isClosed,
        isKnown,
      }));
      const freePermits = isClosed ? 0 : permits - inUse;
      const taken = await queue.take({
        workerId,
        tickets,
        finishes: ended,
        freePermits,
        permitsPerAccount,
        heldPermits,
      });
      settle(taken);
      if (!taken.takings.includes('wait')) isExhausted = false;
      if (taken.missingTickets > 0) addTickets(taken.missingTickets);
    } catch (error) {
      isExhausted = false;
      // Recording an end twice has no effect.
      finishes = [...ended, ...finishes];
      for (const { reject } of asked) reject(isClosed ? new TicketUnused() : error);
    }
    asked = [];
    wokenEarly.clear();
  };

  const takeWhilePossible = async (): Promise<void> => {
    // Several tickets may be woken, or entries end, in the same round of the event loop.
    await undefined;
    while (waiting.length > 0 && !isExhausted && (isClosed || options.isPaused?.() !== true)) await takeOnce();
    taking = undefined;
  };

  const retry = (): void => {
    isExhausted = false;
    if (waiting.length > 0) taking ??= takeWhilePossible();
  };

  const retire = (minMs: number): void => {
    const beforeMs = performance.now() - minMs;
    for (const [id, each] of idle) {
      if (each.idleSinceMs > beforeMs) continue;
      idle.delete(id);
      each.mayStay = false;
      waiting.push(each);
    }
  };

  const flush = async (): Promise<void> => {
    if (finishes.length === 0) return;
    const written = finishes;
    finishes = [];
    await queue
      .finish(written)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'finished documents could not be recorded in their queue'),
      );
  };

  const polling = setInterval(() => {
    retire(idleMs);
    retry();
    void flush();
  }, pollMs);
  polling.unref();

  return {
    take(ticket) {
      if (isClosed) return Promise.reject(new TicketUnused());
      return new Promise((resolve, reject) => {
        waiting.push({ ticket, mayStay: true, isKnown: false, idleSinceMs: 0, resolve, reject });
        retry();
      });
    },
    finish(finish) {
      if (finishes.length === 0) setTimeout(() => void flush(), flushMs).unref();
      finishes.push(finish);
    },
    release(accountId) {
      inUse -= 1;
      const remaining = (held.get(accountId) ?? 1) - 1;
      if (remaining === 0) held.delete(accountId);
      else held.set(accountId, remaining);
      retry();
    },
    wake(accountId) {
      if ((held.get(accountId) ?? 0) < permitsPerAccount) retry();
    },
    wakeTicket(id) {
      const woken = idle.get(id);
      if (woken !== undefined) {
        idle.delete(id);
        waiting.push(woken);
        retry();
      } else if (asked.some(({ ticket }) => ticket.id === id)) wokenEarly.add(id);
      else addTickets(1);
    },
    async close() {
      isClosed = true;
      clearInterval(polling);
      for (const { reject } of waiting.splice(0)) reject(new TicketUnused());
      retire(0);
      retry();
      while (taking !== undefined) await taking;
    },
    flush,
  };
}
