import type { Database, Transaction } from '../../../db/client.ts';
import { guarded, tryLock } from '../../../db/statement.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { findOpenBatches } from '../claim-bundle.ts';
import { type BatchEnds, endFinishedBatches } from '../end-finished.ts';
import { type BatchQueue, engineOf } from './batch-queue.ts';
import { collectFinished, type FinishedRows } from './collect-finished.ts';
import { type DispatchedRow, dispatchRows } from './dispatch-rows.ts';
import { type Grant, schedule, unknownCostUs } from './fair-share.ts';

import {
  type AccountShare,
  countInFlight,
  findWaitingBatches,
  readAccounts,
  readHighestVirtualTime,
  type WaitingBatch,
} from './queue-state.ts';
import { assignVirtualTimes, saveVirtualTimes } from './virtual-time.ts';

export interface QueueWindow {
  /** The maximum number of rows in flight, over all accounts. */
  readonly rows: number;
  readonly accountRows: number;
  /** The maximum size of their data in Redis, in bytes. */
  readonly bytes: number;
  /** Working time that may wait in the queue for each row being processed. */
  readonly aheadUs: number;
  /** How long a batch that fails in this round is kept. */
  readonly ttlSeconds: number;
  /**
   * False if no worker serves the queue: rows wait in PostgreSQL, and only finished ones are collected. Default: true.
   */
  readonly isServed?: boolean | undefined;
}

type EnqueuedRow = DispatchedRow & { readonly inputKey: string };

export interface QueueFill {
  /** Rows that this caller must enqueue now. */
  readonly rows: readonly EnqueuedRow[];
  /** Rows that have ended since the last call, by batch. */
  readonly finished: readonly FinishedRows[];
  /** Batches that ended in this round. They are committed in the same transaction, so that a crash loses none. */
  readonly ends: BatchEnds;
  /** True while rows wait or are in flight. */
  readonly isBusy: boolean;
}

const openAtOnce = 50;

/**
 * Runs one scheduling round for a batch queue: collects finished rows, then divides the free slots among accounts.
 * Undefined while another process runs a round. The returned rows are already committed as in flight: the caller
 * enqueues them, or passes them to `requeueRows` if that fails.
 */
export async function fillQueue(db: Database, format: BatchQueue, window: QueueWindow): Promise<QueueFill | undefined> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      if (!(await tryLock(tx, `batches ${format}`))) return undefined;
      const finished = await collectFinished(tx, format);
      const inFlight = await countInFlight(tx, format);
      const free = Math.max(1, window.rows - inFlight);
      const waiting = window.isServed === false ? [] : await findWaitingBatches(tx, format, free);
      const waitingAccounts = new Set(waiting.map(({ accountId }) => accountId));
      const accounts = await readAccounts(tx, format, [...waitingAccounts]);
      const isFirst = waitingAccounts.size > 0 && !accounts.some(({ isActive }) => isActive);
      const virtualTimes = assignVirtualTimes(
        accounts,
        waitingAccounts,
        isFirst ? await readHighestVirtualTime(tx, format) : 0,
      );
      await saveVirtualTimes(tx, format, findJoined(accounts, virtualTimes), findIdle(accounts, waitingAccounts));
      const rows: EnqueuedRow[] = [];
      const changed = new Set(finished.map(({ batchId }) => batchId));
      let freeBytes = window.bytes - accounts.reduce((total, { bytes }) => total + bytes, 0);
      for (const grant of grantRows(accounts, waiting, virtualTimes, window)) {
        if (freeBytes <= 0) break;
        const granted = await dispatchGrant(tx, format, { ...grant, bytes: freeBytes }, waiting, accounts);
        rows.push(...granted.rows);
        freeBytes -= bytesOf(granted.rows);
        for (const batchId of granted.batchIds) changed.add(batchId);
      }
      // A batch without rows to produce is never dispatched.
      if (waiting.length === 0 && inFlight === 0 && engineOf(format) === null) {
        for (const id of (await findOpenBatches(tx, `${format} `, openAtOnce)).ids) changed.add(id);
      }
      const withFailures = finished.filter(({ unsuccessfulIds }) => unsuccessfulIds.length > 0);
      const ends = await endFinishedBatches(
        tx,
        [...changed],
        window.ttlSeconds,
        withFailures.map(({ batchId }) => batchId),
      );
      return { rows, finished, ends, isBusy: waiting.length > 0 || accounts.some(({ inFlight }) => inFlight > 0) };
    }),
  );
}

function grantRows(
  accounts: readonly AccountShare[],
  waiting: readonly WaitingBatch[],
  virtualTimes: ReadonlyMap<string, number>,
  window: QueueWindow,
): readonly Grant[] {
  const sum = (field: 'inFlight' | 'running'): number => accounts.reduce((total, account) => total + account[field], 0);
  const waitingOf = new Map<string, number>();
  for (const batch of waiting) {
    waitingOf.set(batch.accountId, (waitingOf.get(batch.accountId) ?? 0) + batch.waiting);
  }
  const demands = accounts.flatMap((account) => {
    const rows = waitingOf.get(account.accountId);
    return rows === undefined
      ? []
      : [{ ...account, waiting: rows, virtualTime: virtualTimes.get(account.accountId) ?? account.virtualTime }];
  });
  const grants = schedule(demands, {
    free: window.rows - sum('inFlight'),
    accountRows: window.accountRows,
    workUs: window.aheadUs * Math.max(1, sum('running')),
    isQueueEmpty: sum('running') >= sum('inFlight'),
  });
  // The window may not have enough bytes for all grants.
  const virtualTimeOf = ({ accountId }: Grant): number =>
    demands.find((demand) => demand.accountId === accountId)?.virtualTime ?? 0;
  return grants.toSorted((a, b) => virtualTimeOf(a) - virtualTimeOf(b));
}

const bytesOf = (rows: readonly DispatchedRow[]): number => rows.reduce((total, { dataBytes }) => total + dataBytes, 0);

/** Dispatches granted rows, from the account's oldest batch first, until their data reach the free bytes of the window. */
async function dispatchGrant(
  tx: Transaction,
  format: BatchQueue,
  grant: Grant & { readonly bytes: number },
  waiting: readonly WaitingBatch[],
  accounts: readonly AccountShare[],
): Promise<{ readonly rows: readonly EnqueuedRow[]; readonly batchIds: readonly string[] }> {
  const { accountId } = grant;
  const costUs = accounts.find((account) => account.accountId === accountId)?.costUs ?? unknownCostUs;
  const rows: EnqueuedRow[] = [];
  const batchIds: string[] = [];
  for (const { batchId, inputKey } of waiting.filter((batch) => batch.accountId === accountId)) {
    const bytes = grant.bytes - bytesOf(rows);
    if (rows.length >= grant.rows || bytes <= 0) break;
    const limit = { rows: grant.rows - rows.length, bytes, costUs };
    batchIds.push(batchId);
    const dispatched = await dispatchRows(tx, { batchId, accountId, format }, limit);
    rows.push(...dispatched.map((row) => ({ ...row, inputKey })));
  }
  return { rows, batchIds };
}

function findJoined(
  accounts: readonly AccountShare[],
  virtualTimes: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const inactive = new Set(accounts.filter(({ isActive }) => !isActive).map(({ accountId }) => accountId));
  return new Map([...virtualTimes].filter(([accountId]) => inactive.has(accountId)));
}

function findIdle(accounts: readonly AccountShare[], waitingAccounts: ReadonlySet<string>): readonly string[] {
  return accounts
    .filter(({ accountId, isActive, inFlight }) => isActive && inFlight === 0 && !waitingAccounts.has(accountId))
    .map(({ accountId }) => accountId);
}
