import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';

export type BundleKind = 'zip' | 'pdf' | 'none';

/** What a worker needs to make the files of a batch. */
export interface ClaimedBundle {
  readonly id: string;
  readonly accountId: string;
  readonly bundle: BundleKind;
  readonly bundleName: string;
  readonly bundleToken: string;
  /** Counts this one. */
  readonly attempts: number;
  readonly acceptedAt: Date;
}

interface Row extends Record<string, unknown> {
  readonly account_id: string;
  readonly bundle: BundleKind;
  readonly bundle_name: string;
  readonly bundle_attempts: number;
  readonly accepted_at: string;
}

/**
 * Takes a batch whose rows have all ended for one attempt at its bundle. The new token fences every earlier attempt: only
 * its holder can end the batch. Undefined when there is nothing to bundle (any more).
 */
export async function claimBundle(db: Executor, id: string): Promise<ClaimedBundle | undefined> {
  const bundleToken = newId('att');
  const [row] = await run<Row>(
    db,
    sql`update batches set bundle_token = ${bundleToken}, bundle_attempts = bundle_attempts + 1
      where id = ${id} and status = 'bundling'
      returning account_id, bundle, bundle_name, bundle_attempts, accepted_at`,
  );
  if (row === undefined) return undefined;
  return {
    id,
    accountId: row.account_id,
    bundle: row.bundle,
    bundleName: row.bundle_name,
    bundleToken,
    attempts: row.bundle_attempts,
    acceptedAt: new Date(row.accepted_at),
  };
}
