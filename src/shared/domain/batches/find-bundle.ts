import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import type { BatchFile } from '../../db/schema/batches.ts';
import { run } from '../../db/statement.ts';
import { AppError, type ErrorRecord } from '../../errors.ts';
import type { BundleKind } from './claim-bundle.ts';

/** A batch as those see it who fetch its files. */
export interface BundleRecord {
  readonly id: string;
  readonly status: 'accepted' | 'running' | 'bundling' | 'completed' | 'cancelled' | 'failed';
  readonly bundle: BundleKind;
  readonly bundleName: string;
  readonly error: ErrorRecord | undefined;
  /** Undefined while there are none yet, and when they have expired. */
  readonly files: readonly BatchFile[] | undefined;
}

interface Row extends Record<string, unknown> {
  readonly status: BundleRecord['status'];
  readonly bundle: BundleKind;
  readonly bundle_name: string;
  readonly error: ErrorRecord | null;
  readonly files: readonly BatchFile[] | null;
}

/** The account's batch; another account's and an unknown one are both `not_found`. */
export async function findOwnBundle(db: Executor, accountId: string, id: string): Promise<BundleRecord> {
  const [row] = await run<Row>(
    db,
    sql`select status, bundle, bundle_name, error, files from batches where id = ${id} and account_id = ${accountId}`,
  );
  if (row === undefined) throw new AppError('not_found', 'There is no batch with this id');
  const { status, bundle, bundle_name: bundleName, error, files } = row;
  return { id, status, bundle, bundleName, error: error ?? undefined, files: files ?? undefined };
}
