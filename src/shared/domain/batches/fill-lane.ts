import type { Database, Transaction } from '../../db/client.ts';
import { guarded } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { tryLock } from '../../db/try-lock.ts';
import type { OutputFormat } from '../generations/generation-record.ts';
import { type DispatchedRow, dispatchRows } from './dispatch-rows.ts';
import { type Turn, takeTurns, unknownCostUs } from './fair-share.ts';
import { joinTurns } from './join-turns.ts';
import { keepStandings } from './keep-standings.ts';
import { type AccountLane, findWaitingBatches, readAccounts, readHighestPass, type WaitingBatch } from './read-lane.ts';
import { type ReapedBatch, reapFlights } from './reap-flights.ts';

export interface LaneWindow {
  /** Rows of all accounts that may be with the lane. */
  readonly rows: number;
  readonly accountRows: number;
  /** What their data may come to. */
  readonly bytes: number;
  /** Working time that may wait in the lane, for each row that the lane works on at a time. */
  readonly aheadUs: number;
}

export interface Filling {
  /** Rows that are this caller's to hand over now. */
  readonly rows: readonly (DispatchedRow & { readonly inputKey: string })[];
  /** Batches of which rows have ended since the last call. */
  readonly reaped: readonly ReapedBatch[];
  /** Something waits or is under way. */
  readonly isBusy: boolean;
}

/**
 * Brings the window of a lane up to date: takes out what has ended, deals the free places out by turns. Undefined when
 * another caller is at it. The rows are committed as under way when this answers; those that are not handed over after
 * all are for `recallRows`.
 */
export async function fillLane(db: Database, lane: OutputFormat, window: LaneWindow): Promise<Filling | undefined> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      if (!(await tryLock(tx, `batches ${lane}`))) return undefined;
      const reaped = await reapFlights(tx, lane);
      const waiting = await findWaitingBatches(tx, lane, window.rows);
      const wanting = new Set(waiting.map(({ accountId }) => accountId));
      const accounts = await readAccounts(tx, lane, [...wanting]);
      const isFirst = wanting.size > 0 && !accounts.some(({ isActive }) => isActive);
      const passes = joinTurns(accounts, wanting, isFirst ? await readHighestPass(tx, lane) : 0);
      await keepStandings(tx, lane, joining(accounts, passes), leaving(accounts, wanting));
      const rows: (DispatchedRow & { readonly inputKey: string })[] = [];
      for (const turn of deal(accounts, waiting, passes, window)) {
        rows.push(...(await takeRows(tx, lane, turn, waiting, accounts)));
      }
      return { rows, reaped, isBusy: waiting.length > 0 || accounts.some(({ inFlight }) => inFlight > 0) };
    }),
  );
}

function deal(
  accounts: readonly AccountLane[],
  waiting: readonly WaitingBatch[],
  passes: ReadonlyMap<string, number>,
  window: LaneWindow,
): readonly Turn[] {
  const sum = (field: 'inFlight' | 'running' | 'bytes'): number =>
    accounts.reduce((total, account) => total + account[field], 0);
  if (sum('bytes') >= window.bytes) return [];
  const waitingOf = new Map<string, number>();
  for (const batch of waiting) {
    waitingOf.set(batch.accountId, (waitingOf.get(batch.accountId) ?? 0) + batch.waiting);
  }
  const turns = accounts.flatMap((account) => {
    const rows = waitingOf.get(account.accountId);
    return rows === undefined
      ? []
      : [{ ...account, waiting: rows, pass: passes.get(account.accountId) ?? account.pass }];
  });
  return takeTurns(turns, {
    free: window.rows - sum('inFlight'),
    accountRows: window.accountRows,
    workUs: window.aheadUs * Math.max(1, sum('running')),
    isDry: sum('running') >= sum('inFlight'),
  });
}

/** The account's oldest batch first. */
async function takeRows(
  tx: Transaction,
  lane: OutputFormat,
  turn: Turn,
  waiting: readonly WaitingBatch[],
  accounts: readonly AccountLane[],
): Promise<(DispatchedRow & { readonly inputKey: string })[]> {
  const { accountId } = turn;
  const costUs = accounts.find((account) => account.accountId === accountId)?.costUs ?? unknownCostUs;
  const rows: (DispatchedRow & { readonly inputKey: string })[] = [];
  for (const { batchId, inputKey } of waiting.filter((batch) => batch.accountId === accountId)) {
    if (rows.length >= turn.rows) break;
    const want = { rows: turn.rows - rows.length, costUs };
    const taken = await dispatchRows(tx, { batchId, accountId, lane }, want);
    rows.push(...taken.map((row) => ({ ...row, inputKey })));
  }
  return rows;
}

function joining(accounts: readonly AccountLane[], passes: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const inactive = new Set(accounts.filter(({ isActive }) => !isActive).map(({ accountId }) => accountId));
  return new Map([...passes].filter(([accountId]) => inactive.has(accountId)));
}

function leaving(accounts: readonly AccountLane[], wanting: ReadonlySet<string>): readonly string[] {
  return accounts
    .filter(({ accountId, isActive, inFlight }) => isActive && inFlight === 0 && !wanting.has(accountId))
    .map(({ accountId }) => accountId);
}
