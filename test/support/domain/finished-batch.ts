import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Database } from '../../../src/shared/db/client.ts';
import { acceptGeneration } from '../../../src/shared/domain/generations/accept-generation.ts';
import { failGeneration } from '../../../src/shared/domain/generations/fail-generation.ts';
import { succeedGeneration } from '../../../src/shared/domain/generations/succeed-generation.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { claimed, documentRequest, finishedDocument, newAccount } from './accounts.ts';

const rowsAtOnce = 10;

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
  const { accountId, templateId } = await newAccount(db, { docs: rows.length });
  const batchId = newId('bat');
  const inputKey = `batches/${accountId}/${batchId}/input`;
  await deps.objects.put(inputKey, Buffer.from('{}'), 'application/x-ndjson');
  await pool.query(
    `insert into batches (id, account_id, template_id, template_version, format, bundle, bundle_name, status, rows,
      input_key, input_bytes, accepted_at, started_at) values ($1, $2, $3, 1, $4, $5, $6, 'bundling', $7, $8, 2, now(), now())`,
    [batchId, accountId, templateId, format, bundle, bundleName, rows.length, inputKey],
  );
  const addRow = async (row: FinishedRow, index: number): Promise<string> => {
    const filename = 'error' in row ? 'failed' : row.filename;
    const request = documentRequest(templateId, { format, filename, isKept: true });
    await acceptGeneration(db, accountId, request);
    await pool.query('update generations set batch_id = $1 where id = $2', [batchId, request.id]);
    await pool.query(
      'insert into batch_rows (batch_id, row, generation_id, data_offset, data_bytes, dispatched_at) values ($1, $2, $3, 0, 2, now())',
      [batchId, index + 1, request.id],
    );
    await finishRow(deps, db, request.id, row);
    return request.id;
  };
  const jobIds: string[] = [];
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce);
    jobIds.push(...(await Promise.all(some.map((row, index) => addRow(row, at + index)))));
  }
  return { accountId, batchId, jobIds };
}

async function finishRow(deps: WorkerDeps, db: Database, id: string, row: FinishedRow): Promise<void> {
  const claim = await claimed(db, id);
  if ('error' in row) {
    await failGeneration(db, claim, { code: 'data_invalid', message: row.error });
    return;
  }
  const { bytes } = row;
  const document = finishedDocument(claim, { pages: claim.format === 'pdf' ? 1 : null });
  const checksum = createHash('sha256').update(bytes).digest('hex');
  const result = { ...document.result, sizeBytes: bytes.length, checksum };
  await deps.objects.put(result.key, bytes, 'application/octet-stream');
  await succeedGeneration(db, claim, { ...document, result });
}
