import { bullPrefix, type FairQueueName, type PinnedEngine, queueKey } from '../contracts.ts';
import { guardedRedis } from '../errors.ts';
import type { Redis } from '../redis.ts';
import { runScript, type Script, type ScriptReply } from '../script.ts';
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
}

/** A worker's request for entries: one for each ticket, within its permits. */
export interface TakeRequest {
  readonly tickets: readonly string[];
  /** Permits of the worker that are not in use. */
  readonly freePermits: number;
  readonly permitsPerAccount: number;
  /** The permits in use by account. */
  readonly heldPermits: ReadonlyMap<string, number>;
}

export interface Taken {
  /** In the order of the tickets; undefined if no entry may be taken. */
  readonly assignments: readonly (Assignment | undefined)[];
  /**
   * Whether entries wait that this worker may not take now. `subscribeToArrivals` reports new ones for some
   * seconds.
   */
  readonly areOthersWaiting: boolean;
  /** The number of tickets to add, because more entries wait than there are tickets. */
  readonly missingTickets: number;
}

/** The end of a ticket's run. */
export interface Finish {
  readonly ticket: string;
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
  /** Adds an entry, unless it already waits or is assigned. Resolves with true if a second ticket is needed. */
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
export const wakeChannel = (prefix: string, name: FairQueueName, engine?: PinnedEngine): string =>
  `${baseKey(prefix, name, engine)}:wake`;

const baseKey = (prefix: string, name: FairQueueName, engine: PinnedEngine): string =>
  `${bullPrefix(prefix, queueKey(name, engine))}:fair`;

/** Only entries left by a crash expire; the sweep fails documents that are too old. */
const entryTtlMs = 86_400_000;
const costTtlMs = 3_600_000;
const waitersTtlMs = 5_000;
/** The charge for an account's first entry, until its costs are known. */
const defaultCostMs: Readonly<Record<FairQueueName, number>> = { docx: 10, pdf: 300, inspect: 50 };

/** `ticketKey` returns the key of a BullMQ job of this queue. */
export function createFairQueue(
  redis: Redis,
  prefix: string,
  name: FairQueueName,
  ticketKey: (id: string) => string,
  engine?: PinnedEngine,
): FairQueue {
  const keys = [baseKey(prefix, name, engine), ticketKey('')];
  const run = (script: Script, args: readonly (string | number)[]): Promise<ScriptReply> =>
    guardedRedis(() => runScript(redis, script, keys, args));
  return {
    async enqueue({ id, accountId, payload }) {
      let isLate = false;
      const args = [id, accountId, JSON.stringify(payload), entryTtlMs];
      await guardedRedis(() =>
        runScript(redis, enqueueScript, keys, args, () => {
          isLate = true;
        }),
      );
      return isLate;
    },
    async take({ tickets, freePermits, permitsPerAccount, heldPermits }) {
      const limits = [defaultCostMs[name], waitersTtlMs, freePermits, permitsPerAccount];
      const holders = [...heldPermits].flat();
      const reply = toList(await run(takeScript, [...limits, heldPermits.size, ...holders, ...tickets]));
      return {
        assignments: toList(reply[0]).map(toAssignment),
        areOthersWaiting: reply[1] === 1,
        missingTickets: Math.max(0, Number(reply[2])),
      };
    },
    async finish(finishes) {
      await run(finishScript, [
        costTtlMs,
        ...finishes.flatMap(({ ticket, id, workMs, isDone }) => [ticket, id, workMs, isDone ? 1 : 0]),
      ]);
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
    repair: async () => Math.max(0, Number(await run(repairScript, [entryTtlMs]))),
  };
}

const toList = (reply: ScriptReply | undefined): readonly ScriptReply[] =>
  typeof reply === 'object' && reply !== null ? reply : [];

function toAssignment(reply: ScriptReply): Assignment | undefined {
  const [id, accountId, payload, waitedMs] = toList(reply);
  if (typeof id !== 'string') return undefined;
  return { id, accountId: String(accountId), payload: JSON.parse(String(payload)), waitedMs: Number(waitedMs) };
}
