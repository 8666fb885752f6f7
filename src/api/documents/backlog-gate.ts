import { LRUCache } from 'lru-cache';
import type { DocumentQueue } from '../../shared/domain/documents/document-record.ts';
import { AppError } from '../../shared/errors.ts';
import { type PinnedEngine, queueKey } from '../../shared/queue/contracts.ts';
import type { FairBacklog } from '../../shared/queue/fair/fair-queue.ts';
import type { Queues } from '../../shared/queue/queues.ts';

/** Whether the client waits for its document or fetches it later. */
export type ClientKind = 'waiting' | 'later';

export interface BacklogLimits {
  /** Waiting documents of all accounts. Beyond this, only accounts that exceed their share of it are refused. */
  readonly depth: number;
  /** Waiting documents of one account. */
  readonly accountDepth: number;
  /** Age of the account's oldest waiting document. */
  readonly accountAgeMs: Readonly<Record<ClientKind, number>>;
}

export interface BacklogGate {
  /**
   * Throws `unavailable` with a retry time when the account's backlog in the queue exceeds the limit for this kind of
   * client. One account's backlog never causes the refusal of another account. Call it before reserving anything.
   */
  admit(queue: DocumentQueue, accountId: string, kind: ClientKind, engine?: PinnedEngine): Promise<void>;
}

interface Snapshot {
  readonly backlog: FairBacklog;
  readonly atMs: number;
  /** Requests of the account admitted since the snapshot was taken. */
  admitted: number;
}

const refreshAfterMs = 250;
const maxAgeMs = 1_000;
const maxSnapshots = 10_000;
const maxRetryAfterSeconds = 300;

/**
 * While all waiting documents together are within the limits of a single account, no account can exceed them, and one
 * snapshot of the queue serves the requests of all accounts for 250 ms. Otherwise each account has its own. Requests
 * admitted since a snapshot was taken are added to its depth.
 */
export function createBacklogGate(queues: Pick<Queues, 'fair'>, limits: BacklogLimits): BacklogGate {
  const ofQueue = new Map<string, Snapshot>();
  const snapshots = new LRUCache<string, Snapshot>({ max: maxSnapshots });
  const reading = new Map<string, Promise<Snapshot | undefined>>();
  // lru-cache does not support this: a snapshot is served while it is refreshed, but only up to a maximum age.
  const refresh = (queue: DocumentQueue, accountId: string, engine: PinnedEngine): Promise<Snapshot | undefined> => {
    const queueName = queueKey(queue, engine);
    const key = `${queueName} ${accountId}`;
    const running = reading.get(key);
    if (running !== undefined) return running;
    const started = queues
      .fair(queue, engine)
      .backlog(accountId)
      .then((backlog) => {
        const snapshot = { backlog, atMs: performance.now(), admitted: 0 };
        ofQueue.set(queueName, { ...snapshot });
        snapshots.set(key, snapshot);
        return snapshot;
      })
      // Later steps that need Redis report an outage.
      .catch(() => undefined)
      .finally(() => reading.delete(key));
    reading.set(key, started);
    return started;
  };
  return {
    async admit(queue, accountId, kind, engine) {
      const queueName = queueKey(queue, engine);
      const last = snapshots.get(`${queueName} ${accountId}`);
      const all = ofQueue.get(queueName);
      if (all !== undefined && ageOf(all) <= maxAgeMs && isWithin(limits, kind, all)) {
        if (ageOf(all) > refreshAfterMs) void refresh(queue, accountId, engine);
        all.admitted += 1;
        if (last !== undefined) last.admitted += 1;
        return;
      }
      const ageMs = last === undefined ? Number.POSITIVE_INFINITY : ageOf(last);
      const refreshed = ageMs > refreshAfterMs ? refresh(queue, accountId, engine) : undefined;
      const snapshot = ageMs > maxAgeMs ? await refreshed : last;
      if (snapshot === undefined) return;
      const { backlog, admitted } = snapshot;
      const ownDepth = backlog.ownDepth + admitted;
      const reason = whyRefused({ ...backlog, ownDepth, depth: backlog.depth + admitted }, limits, kind);
      if (reason !== undefined) throw queueFull(reason, backlog);
      snapshot.admitted += 1;
      const newest = ofQueue.get(queueName);
      if (newest !== undefined) newest.admitted += 1;
    },
  };
}

const ageOf = ({ atMs }: Snapshot): number => performance.now() - atMs;

/**
 * Whether the queue is so short that a request is accepted even if all waiting documents are of its account. The
 * account's own numbers then need not be read.
 */
function isWithin(limits: BacklogLimits, kind: ClientKind, { backlog, admitted }: Snapshot): boolean {
  const { depth, ageMs } = backlog;
  const isShort = depth + admitted < Math.min(limits.depth, limits.accountDepth);
  return isShort && ageMs + maxAgeMs <= limits.accountAgeMs[kind];
}

function whyRefused(
  { depth, ownDepth, ownAgeMs, accounts }: FairBacklog,
  limit: BacklogLimits,
  kind: ClientKind,
): string | undefined {
  if (ownDepth >= limit.accountDepth) return `This account already has ${ownDepth} documents waiting`;
  if (ownAgeMs > limit.accountAgeMs[kind]) {
    return `The oldest document of this account has been waiting for ${Math.round(ownAgeMs / 1_000)} seconds`;
  }
  const share = Math.max(1, limit.depth / Math.max(1, accounts));
  if (depth >= limit.depth && ownDepth >= share) {
    return `The queue is full, and this account already has ${ownDepth} documents waiting`;
  }
  return undefined;
}

/** The age of the oldest document is the time that one waits now. */
function queueFull(reason: string, { ownAgeMs }: FairBacklog): AppError {
  const seconds = Math.ceil(ownAgeMs / 1_000);
  return new AppError('unavailable', `${reason}. Try again later.`, {
    retryAfterSeconds: Math.min(Math.max(seconds, 1), maxRetryAfterSeconds),
  });
}
