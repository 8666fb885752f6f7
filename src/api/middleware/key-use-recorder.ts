import type { Database } from '../../shared/db/client.ts';
import type { Scope } from '../../shared/domain/api-keys/scopes.ts';
import { addKeyUse, type KeyUse } from '../../shared/domain/audit/key-use.ts';
import type { Logger } from '../../shared/logger.ts';

/** Counts requests by key, scope and day, and writes the counts in batches, without delaying requests. */
export interface KeyUseRecorder {
  /** `any` counts requests for operations that need no scope. */
  note(use: { readonly keyId: string; readonly accountId: string; readonly scope: Scope | 'any' }): void;
  /** Writes the remaining counts and stops counting. */
  close(): Promise<void>;
}

/** Further entries are not counted until the next write. */
const maxEntries = 10_000;
const rowsAtOnce = 500;
const dayMs = 86_400_000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Writes the counts every `intervalMs`. A crash loses the counts since the last write. */
export function createKeyUseRecorder(db: Database, logger: Logger, intervalMs = 10_000): KeyUseRecorder {
  let counted = new Map<string, Mutable<KeyUse>>();
  let writing = Promise.resolve();
  let left = 0;
  const note: KeyUseRecorder['note'] = ({ keyId, accountId, scope }) => {
    const nowMs = Date.now();
    const place = `${keyId} ${scope} ${Math.floor(nowMs / dayMs)}`;
    const use = counted.get(place);
    const at = new Date(nowMs);
    if (use !== undefined) {
      use.requests += 1;
      use.lastAt = at;
    } else if (counted.size < maxEntries)
      counted.set(place, { keyId, accountId, scope, requests: 1, firstAt: at, lastAt: at });
    else left += 1;
  };
  const write = async (): Promise<void> => {
    const uses = [...counted.values()];
    counted = new Map();
    try {
      while (uses.length > 0) {
        await addKeyUse(db, uses.slice(0, rowsAtOnce));
        uses.splice(0, rowsAtOnce);
      }
    } catch (error) {
      // A statement with an unknown outcome is not repeated, because it could count twice.
      left += uses.splice(0, rowsAtOnce).reduce((sum, { requests }) => sum + requests, 0);
      for (const use of uses) putBack(counted, use);
      logger.warn({ err: error, left }, 'the usage of keys could not be recorded');
      left = 0;
    }
  };
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, intervalMs);
  timer.unref();
  return {
    note,
    async close() {
      clearInterval(timer);
      await writing.then(write);
    },
  };
}

function putBack(counted: Map<string, Mutable<KeyUse>>, use: Mutable<KeyUse>): void {
  const place = `${use.keyId} ${use.scope} ${Math.floor(use.firstAt.getTime() / dayMs)}`;
  const newer = counted.get(place);
  if (newer === undefined) {
    counted.set(place, use);
    return;
  }
  newer.requests += use.requests;
  newer.firstAt = use.firstAt;
}
