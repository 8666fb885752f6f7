import { bullPrefix, type FairQueueName, type PinnedEngine, queueKey } from '../contracts.ts';
import { guardedRedis } from '../errors.ts';
import type { Redis } from '../redis.ts';
import { type BinaryReply, runBinaryScript, runScript, type Script, type ScriptReply } from '../script.ts';
import {
  backlogScript,
  enqueueScript,
  finishScript,
  liveScript,
  repairScript,
  takeScript,
  withdrawScript,
} from './scripts.ts';

/** A document or an upload that waits for a worker. */
export interface Entry {
  readonly id: string;
  readonly accountId: string;
  readonly payload: unknown;
}

/** An entry with the ticket that serves it. */
export interface Assignment extends Entry {
  /** Time since its arrival. */
  readonly waitedMs: number;
  /** The document's data, if they are small; otherwise they are read by their key. */
  readonly data?: Buffer | undefined;
}

/** A ticket that asks for an entry. */
export interface TakingTicket {
  readonly id: string;
  /** The token of its BullMQ job. Without the lock of this token, the ticket gets nothing. Default: not checked. */
  readonly token?: string | undefined;
  /** Whether it may stay with its worker until it is woken, if no entries wait. */
  readonly mayStay?: boolean | undefined;
  /** True if the last reply for it was `wait`. Default: it may run again, for the entry that it had. */
  readonly isKnown?: boolean | undefined;
}

/** A worker's request for entries: one for each ticket, within its permits. */
export interface TakeRequest {
  /** The worker whose `wakeChannel` is published to when one of the tickets that stay is needed. */
  readonly workerId: string;
  readonly tickets: readonly TakingTicket[];
  /** Recorded first: a ticket may have served one of these entries. */
  readonly finishes: readonly Finish[];
  /** Permits of the worker that are not in use. */
  readonly freePermits: number;
  readonly permitsPerAccount: number;
  /** The permits in use by account. */
  readonly heldPermits: ReadonlyMap<string, number>;
}

/**
 * The entry that a ticket got. Otherwise `wait`: only entries wait that this worker may not take now, and new ones are
 * published for some seconds; `idle`: the ticket stays until it is woken, and must then take again; `end`: the ticket is
 * not needed.
 */
export type Taking = Assignment | 'wait' | 'idle' | 'end';

export interface Taken {
  /** In the order of the tickets. */
  readonly takings: readonly Taking[];
  /** The number of tickets to add, because entries wait and no ticket comes for them. */
  readonly missingTickets: number;
}

/** The end of an entry's run. */
export interface Finish {
  readonly ticket: string;
  /** The token of its BullMQ job. If another worker has the lock, nothing is recorded. Default: not checked. */
  readonly token?: string | undefined;
  /** The entry that it served. */
  readonly id: string;
  /** Time spent in render processes and LibreOffice slots. */
  readonly workMs: number;
  /** False if the ticket will run again for the same entry. */
  readonly isDone: boolean;
}

export interface FairBacklog {
  readonly depth: number;
  readonly ageMs: number;
  /** The same for one account. */
  readonly ownDepth: number;
  readonly ownAgeMs: number;
  /** The number of accounts with waiting entries. */
  readonly accounts: number;
  /** The number of entries assigned to tickets. */
  readonly assigned: number;
}

/** The waiting entries of a queue, and the order in which accounts are served. Tickets are BullMQ jobs. */
export interface FairQueue {
  /** Adds an entry, unless it already waits or is assigned. Resolves with true if the caller must add a ticket. */
  enqueue(entry: Entry): Promise<boolean>;
  take(request: TakeRequest): Promise<Taken>;
  finish(finishes: readonly Finish[]): Promise<void>;
  /** Whether each entry waits, or is assigned to a ticket that exists. */
  areLive(ids: readonly string[]): Promise<readonly boolean[]>;
  backlog(accountId: string): Promise<FairBacklog>;
  /** Removes a waiting entry; an assigned one stays. */
  withdraw(id: string): Promise<void>;
  /** Some of the waiting entries, chosen at random. */
  sample(count: number): Promise<readonly string[]>;
  /** Removes what crashes left behind, and returns the number of missing tickets. */
  repair(): Promise<number>;
}

/** The channel that publishes the account of each arrival while a worker holds tickets that it cannot use. */
export const arrivalChannel = (prefix: string, name: FairQueueName, engine?: PinnedEngine): string =>
  `${baseKey(prefix, name, engine)}:wake`;

/** The channel that publishes which idle ticket of a worker is woken. */
export const wakeChannel = (prefix: string, name: FairQueueName, workerId: string, engine?: PinnedEngine): string =>
  `${arrivalChannel(prefix, name, engine)}:${workerId}`;

const baseKey = (prefix: string, name: FairQueueName, engine: PinnedEngine): string =>
  `${bullPrefix(prefix, queueKey(name, engine))}:fair`;

/** Only entries left by a crash expire; the sweep fails documents that are too old. */
const entryTtlMs = 86_400_000;
const costTtlMs = 3_600_000;
const waitersTtlMs = 5_000;
/** Longer saves more tickets. It is also how long a worker whose host lost power may still be counted on. */
export const idleMs = 250;
/** The charge for an account's first entry, until its costs are known. */
const defaultCostMs: Readonly<Record<FairQueueName, number>> = { docx: 10, pdf: 300, inspect: 50 };

/** Data up to this size come with their document. */
const mostDataBytes = 16 * 1024;

export interface FairQueueOptions {
  /** Returns the key of a BullMQ job of this queue. */
  readonly ticketKey: (id: string) => string;
  /** The beginning of the keys of data. Undefined if they may be on another node, or if the entries have none. */
  readonly dataKeys: string | undefined;
  readonly engine?: PinnedEngine;
}

export function createFairQueue(
  redis: Redis,
  prefix: string,
  name: FairQueueName,
  { ticketKey, dataKeys = '', engine }: FairQueueOptions,
): FairQueue {
  const keys = [baseKey(prefix, name, engine), ticketKey('')];
  const run = (script: Script, args: readonly (string | number)[]): Promise<ScriptReply> =>
    guardedRedis(() => runScript(redis, script, keys, args));
  return {
    enqueue: async ({ id, accountId, payload }) =>
      (await run(enqueueScript, [id, accountId, JSON.stringify(payload), entryTtlMs])) === 1,
    async take({ workerId, tickets, finishes, freePermits, permitsPerAccount, heldPermits }) {
      const args = [defaultCostMs[name], waitersTtlMs, costTtlMs, freePermits, permitsPerAccount, workerId, idleMs];
      args.push(dataKeys, mostDataBytes, heldPermits.size);
      for (const [account, count] of heldPermits) args.push(account, count);
      args.push(finishes.length);
      for (const finish of finishes) pushFinish(args, finish);
      for (const { id, token = '', mayStay, isKnown } of tickets)
        args.push(id, token, mayStay === true ? 1 : 0, isKnown === true ? 1 : 0);
      const [takings = null, missing] = toList(
        await guardedRedis(() => runBinaryScript(redis, takeScript, keys, args)),
      );
      return { takings: toList(takings).map(toTaking), missingTickets: Number(missing) };
    },
    async finish(finishes) {
      const args: (string | number)[] = [costTtlMs];
      for (const finish of finishes) pushFinish(args, finish);
      await run(finishScript, args);
    },
    areLive: async (ids) => (ids.length === 0 ? [] : toList(await run(liveScript, ids)).map((live) => live === 1)),
    async backlog(accountId) {
      const [depth, ageMs, ownDepth, ownAgeMs, accounts, assigned] = toList(await run(backlogScript, [accountId])).map(
        Number,
      );
      return {
        depth: depth ?? 0,
        ageMs: ageMs ?? 0,
        ownDepth: ownDepth ?? 0,
        ownAgeMs: ownAgeMs ?? 0,
        accounts: accounts ?? 0,
        assigned: assigned ?? 0,
      };
    },
    async withdraw(id) {
      await run(withdrawScript, [id]);
    },
    sample: (count) => guardedRedis(() => redis.zrandmember(`${baseKey(prefix, name, engine)}:arrivals`, count)),
    repair: async () => Number(await run(repairScript, [entryTtlMs])),
  };
}

const isList = <Reply>(reply: Reply | readonly Reply[]): reply is readonly Reply[] => Array.isArray(reply);
const toList = <Reply>(reply: Reply | readonly Reply[]): readonly Reply[] => (isList(reply) ? reply : []);

function pushFinish(args: (string | number)[], { ticket, token = '', id, workMs, isDone }: Finish): void {
  args.push(ticket, token, id, workMs, isDone ? 1 : 0);
}

function toTaking(reply: BinaryReply): Taking {
  if (!isList(reply)) {
    const action = String(reply);
    return action === 'wait' || action === 'idle' ? action : 'end';
  }
  const [id, accountId, payload, waitedMs, data] = reply;
  return {
    id: String(id),
    accountId: String(accountId),
    payload: JSON.parse(String(payload)),
    waitedMs: Number(waitedMs),
    data: Buffer.isBuffer(data) ? data : undefined,
  };
}
