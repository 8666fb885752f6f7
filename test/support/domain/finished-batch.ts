import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Database } from '../../../src/shared/db/client.ts';
import { claimDocuments } from '../../../src/shared/domain/documents/claim-document.ts';
import { failDocument } from '../../../src/shared/domain/documents/fail-document.ts';
import { settleDocuments } from '../../../src/shared/domain/documents/settle-documents.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { finishedDocument, newAccount } from './accounts.ts';
import { newBatch } from './batches.ts';

const filesAtOnce = 20;

/** A row of a finished batch: its document, or its error message. */
export type FinishedRow = { readonly filename: string; readonly bytes: Buffer } | { readonly error: string };

export interface FinishedBatch {
  readonly accountId: string;
  readonly batchId: string;
  readonly jobIds: readonly string[];
}

export interface BatchKind {
  readonly bundle: 'zip' | 'pdf' | 'none';
  readonly format: 'docx' | 'pdf';
  readonly bundleName?: string;
}

/** A batch with finished rows that is ready to be bundled. */
export async function finishedBatch(
  { deps, pool, db }: { readonly deps: WorkerDeps; readonly pool: Pool; readonly db: Database },
  { bundle, format, bundleName = 'Letters' }: BatchKind,
  rows: readonly FinishedRow[],
): Promise<FinishedBatch> {
  const account = await newAccount(db, { docs: rows.length });
  const request = { rows: rows.map(() => ({})), format, bundle };
  const { batchId, documentIds: jobIds } = await newBatch(db, deps.objects, account, request);
  const names = rows.map((row) => ('error' in row ? 'failed' : row.filename));
  await pool.query(
    'update generations g set filename = n.name from unnest($1::text[], $2::text[]) n (id, name) where g.id = n.id',
    [jobIds, names],
  );
  await pool.query(`update batches set status = 'bundling', bundle_name = $2, started_at = now() where id = $1`, [
    batchId,
    bundleName,
  ]);
  await pool.query('update batch_rows set dispatched_at = now() where batch_id = $1', [batchId]);
  const claims = new Map((await claimDocuments(db, jobIds)).map((claim) => [claim.id, claim]));
  const finish = async (row: FinishedRow, id = '') => {
    const attempt = claims.get(id);
    if (attempt === undefined) throw new Error(`there is nothing to claim: ${id}`);
    if ('error' in row) {
      await failDocument(db, attempt, { code: 'data_invalid', message: row.error });
      return [];
    }
    const document = finishedDocument(attempt, { pages: format === 'pdf' ? 1 : null });
    const checksum = hash('sha256', row.bytes, 'hex');
    const result = { ...document.result, sizeBytes: row.bytes.length, checksum };
    await deps.objects.put(result.key, row.bytes, 'application/octet-stream');
    return [{ attempt, document: { ...document, result } }];
  };
  for (let at = 0; at < rows.length; at += filesAtOnce) {
    const some = rows.slice(at, at + filesAtOnce);
    const settlements = (await Promise.all(some.map((row, index) => finish(row, jobIds[at + index])))).flat();
    if (settlements.length > 0) await settleDocuments(db, settlements);
  }
  return { accountId: account.accountId, batchId, jobIds };
}
