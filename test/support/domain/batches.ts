import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/shared/db/client.ts';
import { execute } from '../../../src/shared/db/statement.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { ObjectStore } from '../../../src/shared/storage/objects.ts';
import type { TestAccount } from './accounts.ts';

export interface TestBatch {
  readonly batchId: string;
  /** The rows' documents, in order. */
  readonly documentIds: readonly string[];
}

export interface BatchRequest {
  /** The data of each row. */
  readonly rows: readonly object[];
  readonly format?: 'docx' | 'pdf';
  readonly maxFailures?: number;
  readonly bundle?: 'zip' | 'pdf' | 'none';
  /** Inserts the rows as single documents instead: the same input, but no batch. */
  readonly areSingles?: boolean;
}

/** A newly accepted batch: input stored, rows reserved and queued, none dispatched. */
export async function newBatch(
  db: Database,
  objects: Pick<ObjectStore, 'put'>,
  { accountId, templateId }: TestAccount,
  { rows, format = 'docx', maxFailures, bundle = 'none', areSingles = false }: BatchRequest,
): Promise<TestBatch> {
  const batchId = newId('bat');
  const lines = rows.map((row) => Buffer.from(JSON.stringify(row)));
  const input = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  const inputKey = `batches/${accountId}/${batchId}/input`;
  await objects.put(inputKey, input, 'application/x-ndjson');
  const ids = rows.map(() => newId('doc'));
  const sizes = lines.map((line) => line.length);
  let end = 0;
  const offsets = sizes.map((size) => {
    const offset = end;
    end += size + 1;
    return offset;
  });
  const checksums = lines.map((line) => createHash('sha256').update(line).digest('hex'));
  await execute(
    db,
    sql`with input as (
        select * from unnest(${sql.param(ids)}::text[], ${sql.param(offsets)}::bigint[], ${sql.param(sizes)}::int[], ${sql.param(checksums)}::text[])
          with ordinality as i (id, data_offset, data_bytes, checksum, number)
      ), held as (
        update allowances set docs_held = docs_held + ${rows.length} where id = (
          select id from allowances where account_id = ${accountId} and docs - docs_held - docs_settled >= ${rows.length} limit 1)
        returning id
      ), document as (
        insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format,
          filename, batch_id, is_kept, status, data_checksum, accepted_at)
        select i.id, ${accountId}, t.id, v.version, v.object_key, v.checksum, ${format}, 'row-' || i.number || ${`.${format}`},
          ${areSingles ? null : batchId}::text, true, 'queued', i.checksum, date_trunc('milliseconds', now())
        from input i, held, templates t join template_versions v on v.template_id = t.id and v.version = t.version
        where t.id = ${templateId} returning id
      ), entry as (
        insert into ledger (account_id, generation_id, allowance_id, kind, units)
        select ${accountId}, document.id, held.id, 'reserve', 1 from document, held
      ), batch as (
        insert into batches (id, account_id, template_id, template_version, format, bundle, bundle_name, status, rows,
          max_failures, input_key, input_bytes, accepted_at)
        select ${batchId}, ${accountId}, ${templateId}, 1, ${format}, ${bundle}, 'batch',
          ${areSingles ? 'completed' : 'accepted'}, ${rows.length}, ${maxFailures ?? null}::int, ${inputKey}, ${input.length},
          date_trunc('milliseconds', now())
      )
      insert into batch_rows (batch_id, row, generation_id, data_offset, data_bytes)
      select ${batchId}, number, id, data_offset, data_bytes from input where not ${areSingles}::boolean`,
  );
  return { batchId, documentIds: ids };
}
