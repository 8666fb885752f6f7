import { and, asc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../db/client.ts';
import { excluded, isAnyOf } from '../db/column-names.ts';
import { type RecentWork, workers } from '../db/schema/operations.ts';
import { nowPlus, run } from '../db/statement.ts';

export interface WorkerRecord {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  readonly release: string;
  readonly queues: readonly string[];
  /** Jobs being processed, by queue. */
  readonly jobs: Readonly<Record<string, number>>;
  /** Jobs that ended within the last two minutes, by queue. */
  readonly recent: RecentWork;
  readonly startedAt: Date;
  readonly isDraining: boolean;
  /** False if it has not reported for 15 seconds: it has ended without notice, or cannot reach the database. */
  readonly isLive: boolean;
}

export type WorkerReport = Pick<WorkerRecord, 'workerId' | 'host' | 'pid' | 'release' | 'queues' | 'jobs' | 'recent'>;

const lifetimeMs = 15_000;
/** How long the rows of workers that ended without notice remain visible. */
const keptMs = 3_600_000;
const isLive: SQL<boolean> = sql`${workers.seenAt} > ${nowPlus(-lifetimeMs)}`;

/** Writes the worker's row. True if the operator has asked it to drain. */
export async function reportWorker(db: Executor, { workerId, ...report }: WorkerReport): Promise<boolean> {
  const values = { id: workerId, ...report, queues: [...report.queues] };
  const [row] = await run(
    db,
    db
      .insert(workers)
      .values(values)
      .onConflictDoUpdate({
        target: workers.id,
        set: { jobs: excluded(workers.jobs), recent: excluded(workers.recent), seenAt: sql`now()` },
      })
      .returning({ drainRequestedAt: workers.drainRequestedAt }),
  );
  return row !== undefined && row.drainRequestedAt !== null;
}

export async function removeWorker(db: Executor, workerId: string): Promise<void> {
  await run(db, db.delete(workers).where(eq(workers.id, workerId)));
}

/** Deletes the rows of workers that ended without notice an hour ago. */
export async function removeLostWorkers(db: Executor): Promise<void> {
  await run(db, db.delete(workers).where(lt(workers.seenAt, nowPlus(-keptMs))));
}

/** All workers, or those with the given ids, ordered by their start. */
export async function listWorkers(db: Executor, ids?: readonly string[]): Promise<readonly WorkerRecord[]> {
  const { id, host, pid, release, queues, jobs, recent, startedAt, drainRequestedAt } = workers;
  const rows = await run(
    db,
    db
      .select({ workerId: id, host, pid, release, queues, jobs, recent, startedAt, drainRequestedAt, isLive })
      .from(workers)
      .where(ids === undefined ? undefined : isAnyOf(id, ids))
      .orderBy(asc(id)),
  );
  return rows.map(({ drainRequestedAt: requestedAt, ...row }) => ({ ...row, isDraining: requestedAt !== null }));
}

/**
 * Asks the live workers, or one of them, to finish their jobs and exit. Returns their ids, including those already
 * asked.
 */
export async function requestDrain(db: Executor, workerId?: string): Promise<readonly string[]> {
  const isMeant = and(isLive, workerId === undefined ? undefined : eq(workers.id, workerId));
  await run(
    db,
    db
      .update(workers)
      .set({ drainRequestedAt: sql`now()` })
      .where(and(isMeant, isNull(workers.drainRequestedAt))),
  );
  const rows = await run(db, db.select({ id: workers.id }).from(workers).where(isMeant).orderBy(asc(workers.id)));
  return rows.map(({ id }) => id);
}
