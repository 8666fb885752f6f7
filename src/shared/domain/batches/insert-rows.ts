import { sql } from 'drizzle-orm';
import type { Transaction } from '../../db/client.ts';
import type { EmailRequest } from '../../db/schema/generations.ts';
import { json, nowOr, run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { OutputFormat } from '../generations/generation-record.ts';

/** One row of a batch as it is accepted. */
export interface RowRequest {
  readonly generationId: string;
  readonly filename: string;
  /** SHA-256 of its data, hex. */
  readonly dataChecksum: string;
  /** Where its data lies in the input object. */
  readonly dataOffset: number;
  readonly dataBytes: number;
  readonly pdfOptions: Readonly<Record<string, unknown>> | null;
  readonly renderOptions: Readonly<Record<string, unknown>> | null;
  readonly email: EmailRequest | null;
  /** It is no document's data: it is accepted as failed, and costs nothing. */
  readonly error?: ErrorRecord | undefined;
}

/** What all rows of a batch share. */
export interface SharedRowFields {
  readonly batchId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly templateObjectKey: string;
  readonly templateChecksum: string;
  readonly format: OutputFormat;
}

const chunkRows = 2_000;

/** Writes the rows, counted from 1, as documents that wait for their turn. */
export async function insertRows(tx: Transaction, of: SharedRowFields, rows: readonly RowRequest[]): Promise<void> {
  for (let from = 0; from < rows.length; from += chunkRows) {
    const chunk = rows.slice(from, from + chunkRows);
    await insertGenerations(tx, of, chunk);
    await run(
      tx,
      sql`insert into batch_rows (batch_id, row, generation_id, data_offset, data_bytes, dispatched_at)
        select ${of.batchId}, ${from}::int + r.place, r.id, r.data_offset, r.data_bytes, case when r.is_failed then ${nowOr()} end
        from unnest(${sql.param(chunk.map((row) => row.generationId))}::text[],
          ${sql.param(chunk.map((row) => row.dataOffset))}::bigint[], ${sql.param(chunk.map((row) => row.dataBytes))}::int[],
          ${sql.param(chunk.map((row) => row.error !== undefined))}::boolean[])
          with ordinality as r (id, data_offset, data_bytes, is_failed, place)`,
    );
    // failpoint: batch-rows-written
  }
}

async function insertGenerations(tx: Transaction, of: SharedRowFields, rows: readonly RowRequest[]): Promise<void> {
  const column = <T>(read: (row: RowRequest) => T) => sql.param(rows.map(read));
  await run(
    tx,
    sql`with budget as (
        select date_trunc('month', ${nowOr()} at time zone 'UTC')::date as month from api_keys
        where id = ${of.keyId} and docs_per_month is not null
      )
      insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format,
        filename, pdf_options, render_options, email, batch_id, is_kept, status, data_checksum, error, accepted_at,
        finished_at, api_key_id, budget_month)
      select r.id, ${of.accountId}, ${of.templateId}, ${of.templateVersion}, ${of.templateObjectKey}, ${of.templateChecksum},
        ${of.format}, r.filename, r.pdf_options::jsonb, r.render_options::jsonb, r.email::jsonb, ${of.batchId}, true,
        case when r.error is null then 'queued' else 'failed' end, r.data_checksum, r.error::jsonb, ${nowOr()},
        case when r.error is not null then ${nowOr()} end, ${of.keyId},
        case when r.error is null then (select month from budget) end
      from unnest(${column((row) => row.generationId)}::text[], ${column((row) => row.filename)}::text[],
        ${column((row) => json(row.pdfOptions))}::text[], ${column((row) => json(row.renderOptions))}::text[],
        ${column((row) => json(row.email))}::text[], ${column((row) => row.dataChecksum)}::text[],
        ${column((row) => json(row.error))}::text[])
        as r (id, filename, pdf_options, render_options, email, data_checksum, error)`,
  );
}
