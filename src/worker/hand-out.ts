import type { Logger } from '../shared/logger.ts';
import type { Assignment, FairQueue, Taken } from '../shared/queue/fair/fair-queue.ts';

/** Thrown for a ticket that was still unused when the worker closed. The ticket returns to its queue. */
export class TicketUnused extends Error {}

/** Assigns the waiting entries of a fair queue to the tickets of this worker. */
export interface HandOut {
  /**
   * Waits until an entry may be taken; undefined when none is waiting. The caller holds a permit for the entry's
   * account until `release`. Throws `TicketUnused` when the worker closes.
   */
  take(ticket: string): Promise<Assignment | undefined>;
  release(accountId: string): void;
  /** Reports that an entry of the account arrived. */
  wake(accountId: string): void;
  close(): void;
}

export interface HandOutOptions {
  readonly queue: Pick<FairQueue, 'take'>;
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
  readonly ticket: string;
  readonly resolve: (assignment: Assignment | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Polls in case the message about an arrival is lost, and because engines become free without notice. */
const pollMs = 250;
const maxAddedTickets = 100;

/** Takes entries for all waiting tickets in one call, one call at a time, so that permits are counted exactly. */
export function createHandOut(options: HandOutOptions): HandOut {
  const { queue, permits, permitsPerAccount, isSaturated, addTickets, logger } = options;
  const held = new Map<string, number>();
  let waiting: WaitingTicket[] = [];
  let inUse = 0;
  let isTaking = false;
  /** Nothing may be taken until something changes. */
  let isExhausted = false;
  let isClosed = false;

  const hold = ({ accountId }: Assignment): void => {
    inUse += 1;
    held.set(accountId, (held.get(accountId) ?? 0) + 1);
  };

  const settle = (asked: readonly WaitingTicket[], taken: Taken): void => {
    for (const [index, { resolve, reject }] of asked.entries()) {
      const assignment = taken.assignments[index];
      if (assignment !== undefined) hold(assignment);
      if (assignment !== undefined || !taken.areOthersWaiting) resolve(assignment);
      else if (isClosed) reject(new TicketUnused());
    }
    const isWaiting = (_: WaitingTicket, index: number): boolean =>
      taken.areOthersWaiting && taken.assignments[index] === undefined && !isClosed;
    waiting = [...asked.filter(isWaiting), ...waiting];
  };

  const takeOnce = async (): Promise<void> => {
    const asked = waiting;
    waiting = [];
    isExhausted = true;
    const heldPermits = new Map(
      [...held].map(([account, count]) => [account, isSaturated(account) ? permitsPerAccount : count]),
    );
    // Paused accounts count as holding all their permits.
    for (const account of options.pausedAccounts?.() ?? []) heldPermits.set(account, permitsPerAccount);
    try {
      const tickets = asked.map(({ ticket }) => ticket);
      const taken = await queue.take({ tickets, freePermits: permits - inUse, permitsPerAccount, heldPermits });
      settle(asked, taken);
      if (!taken.areOthersWaiting) isExhausted = false;
      if (taken.missingTickets > 0) {
        // Tickets that wait here are unavailable to idle workers.
        addTickets(Math.min(taken.missingTickets, maxAddedTickets)).catch((error: unknown) =>
          logger.warn({ err: error }, 'tickets could not be added; the sweep adds them'),
        );
      }
    } catch (error) {
      isExhausted = false;
      for (const { reject } of asked) reject(error);
    }
  };

  const takeWhilePossible = async (): Promise<void> => {
    if (isTaking) return;
    isTaking = true;
    while (waiting.length > 0 && !isExhausted && !isClosed && options.isPaused?.() !== true) await takeOnce();
    isTaking = false;
  };

  const retry = (): void => {
    isExhausted = false;
    if (waiting.length > 0) void takeWhilePossible();
  };
  const polling = setInterval(retry, pollMs);
  polling.unref();

  return {
    take(ticket) {
      if (isClosed) return Promise.reject(new TicketUnused());
      return new Promise((resolve, reject) => {
        waiting.push({ ticket, resolve, reject });
        void takeWhilePossible();
      });
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
    close() {
      isClosed = true;
      clearInterval(polling);
      for (const { reject } of waiting.splice(0)) reject(new TicketUnused());
    },
  };
}
