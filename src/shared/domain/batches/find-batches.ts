import { desc, eq, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyOf } from '../../db/column-names.ts';
import { newestIds } from '../../db/newest-ids.ts';
import { type BatchFile, batches } from '../../db/schema/batches.ts';
import { run } from '../../db/statement.ts';
import { AppError, type ErrorRecord } from '../../errors.ts';
import type { RequestTrace } from '../../request-trace.ts';
import type { OutputFormat } from '../documents/document-record.ts';

export type BatchStatus = (typeof batches.$inferSelect)['status'];
export type BundleKind = (typeof batches.$inferSelect)['bundle'];

/** A batch's row as the API reads it; `readProgress` returns the progress of its rows. */
export interface BatchRecord {
  readonly id: string;
  readonly accountId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly format: OutputFormat;
  readonly bundle: BundleKind;
  readonly status: BatchStatus;
  readonly rows: number;
  readonly maxFailures: number | undefined;
  readonly trace: RequestTrace | undefined;
  readonly error: ErrorRecord | undefined;
  readonly files: readonly BatchFile[];
  readonly inputKey: string;
  readonly acceptedAt: Date;
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
}

function selectBatches(db: Executor) {
  const { id, accountId, templateId, templateVersion, format, bundle, status, rows, maxFailures } = batches;
  const { trace, error, files, inputKey, acceptedAt, startedAt, finishedAt, expiresAt } = batches;
  return db
    .select({
      id,
      accountId,
      templateId,
      templateVersion,
      format,
      bundle,
      status,
      rows,
      maxFailures,
      trace,
      error,
      files,
      inputKey,
      acceptedAt,
      startedAt,
      finishedAt,
      expiresAt,
    })
    .from(batches)
    .$dynamic();
}

type Row = Awaited<ReturnType<typeof selectBatches>>[number];

function toBatchRecord(row: Row): BatchRecord {
  return {
    ...row,
    maxFailures: row.maxFailures ?? undefined,
    trace: row.trace ?? undefined,
    error: row.error ?? undefined,
    files: row.files ?? [],
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    expiresAt: row.expiresAt ?? undefined,
  };
}

export const batchNotFound = (): AppError => new AppError('not_found', 'There is no batch with this id');

/** The account's batch. Throws `not_found` if it does not exist or belongs to another account. */
export async function findBatch(db: Executor, accountId: string, id: string): Promise<BatchRecord> {
  const [batch] = await findBatches(db, [id]);
  if (batch?.accountId !== accountId) throw batchNotFound();
  return batch;
}

/** The existing batches with these ids, in any order. The caller checks their account. */
export async function findBatches(db: Executor, ids: readonly string[]): Promise<readonly BatchRecord[]> {
  const rows = await run(db, selectBatches(db).where(isAnyOf(batches.id, ids)));
  return rows.map(toBatchRecord);
}

export interface BatchPageInput {
  readonly accountId: string;
  readonly limit: number;
  /** `running` includes batches whose bundle is being produced. */
  readonly status?: Exclude<BatchStatus, 'bundling'> | undefined;
  readonly templateId?: string | undefined;
  /** The last id of the previous page. */
  readonly before?: string | undefined;
}

const allStatuses: readonly BatchStatus[] = ['accepted', 'running', 'bundling', 'completed', 'cancelled', 'failed'];

/** A page of the account's batches, newest first; `next` is the last id when there are more. */
export async function listBatches(
  db: Executor,
  { accountId, limit, before, status, templateId }: BatchPageInput,
): Promise<{ readonly batches: readonly BatchRecord[]; readonly next: string | undefined }> {
  const ids = newestIds({
    table: batches,
    owner: templateId === undefined ? eq(batches.accountId, accountId) : eq(batches.templateId, templateId),
    statuses: status === undefined ? allStatuses : status === 'running' ? ['running', 'bundling'] : [status],
    before,
    limit,
  });
  const found = await run(
    db,
    selectBatches(db).where(sql`${batches.id} = any(array(${ids}))`).orderBy(desc(batches.id)),
  );
  // The template may belong to another account. Filtering in SQL would make the planner choose the account's index.
  const rows = found.filter((row) => row.accountId === accountId);
  const page = rows.slice(0, limit).map(toBatchRecord);
  return { batches: page, next: rows.length > limit ? page.at(-1)?.id : undefined };
}
