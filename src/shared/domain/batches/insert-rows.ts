import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../db/client.ts';
import { columnList, texts } from '../../db/column-names.ts';
import { batchRows } from '../../db/schema/batches.ts';
import { type EmailRequest, generations } from '../../db/schema/documents.ts';
import { templateVersions } from '../../db/schema/templates.ts';
import { execute, jsonText, nowOr } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { PdfOptions, RequestedRenderOptions } from '../../output-options.ts';
import { budgetMonth } from '../api-keys/budget.ts';
import { documentDate } from '../documents/document-date.ts';
import type { DocumentInclude, OutputFormat } from '../documents/document-record.ts';

/** One row of a batch as it is accepted. */
export interface RowRequest {
  readonly documentId: string;
  readonly filename: string;
  /** SHA-256 of its data, hex. */
  readonly dataChecksum: string;
  /** Position of its data in the input object, in bytes. */
  readonly dataOffset: number;
  readonly dataBytes: number;
  readonly pdfOptions: PdfOptions | null;
  readonly renderOptions: RequestedRenderOptions | null;
  readonly email: EmailRequest | null;
  /** Set for a row without valid data: it is accepted as failed and costs nothing. */
  readonly error?: ErrorRecord | undefined;
}

/** Fields that all rows of a batch share. */
export interface SharedRowFields {
  readonly batchId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly templateObjectKey: string;
  readonly templateChecksum: string;
  readonly includes: readonly DocumentInclude[];
  readonly format: OutputFormat;
}

const chunkRows = 2_000;

/** Writes the rows, numbered from 1, as documents that wait for the dispatcher. */
export async function insertRows(tx: Transaction, shared: SharedRowFields, rows: readonly RowRequest[]): Promise<void> {
  for (let from = 0; from < rows.length; from += chunkRows) {
    const chunk = rows.slice(from, from + chunkRows);
    await insertDocuments(tx, shared, chunk);
    await insertBatchRows(tx, shared.batchId, from, chunk);
    // failpoint: batch-rows-written
  }
}

async function insertBatchRows(
  tx: Transaction,
  batchId: string,
  from: number,
  rows: readonly RowRequest[],
): Promise<void> {
  const r = batchRows;
  const values = <T>(read: (row: RowRequest) => T) => sql.param(rows.map(read));
  await execute(
    tx,
    sql`insert into ${batchRows}
        ${columnList(r.batchId, r.row, r.documentId, r.dataOffset, r.dataBytes, r.dispatchedAt)}
      select ${batchId}, ${from}::int + r.position, r.id, r.data_offset, r.data_bytes,
        case when r.is_failed then ${nowOr()} end
      from unnest(${values((row) => row.documentId)}::text[], ${values((row) => row.dataOffset)}::bigint[],
        ${values((row) => row.dataBytes)}::int[], ${values((row) => row.error !== undefined)}::boolean[])
        with ordinality as r (id, data_offset, data_bytes, is_failed, position)`,
  );
}

async function insertDocuments(tx: Transaction, of: SharedRowFields, rows: readonly RowRequest[]): Promise<void> {
  const values = (read: (row: RowRequest) => string | null): SQL => texts(rows.map(read));
  const g = generations;
  const columns = columnList(
    ...[g.id, g.accountId, g.templateId, g.templateVersion, g.templateObjectKey, g.templateChecksum, g.format],
    ...[g.filename, g.pdfOptions, g.renderOptions, g.email, g.batchId, g.isKept, g.status, g.dataChecksum, g.error],
    ...[g.documentDate, g.acceptedAt, g.finishedAt, g.apiKeyId, g.budgetMonth, g.includes, g.approval],
  );
  const v = templateVersions;
  const ofVersion = (column: PgColumn) => sql`(select ${column} from ${v} where ${v.templateId} = ${of.templateId}
    and ${v.version} = ${of.templateVersion})`;
  await execute(
    tx,
    sql`with ${budgetMonth(of.keyId)}
      insert into ${generations} ${columns}
      select r.id, ${of.accountId}, ${of.templateId}, ${of.templateVersion}, ${of.templateObjectKey}, ${of.templateChecksum},
        ${of.format}, r.filename, r.pdf_options::jsonb, r.render_options::jsonb, r.email::jsonb, ${of.batchId}, true,
        case when r.error is null then 'queued' else 'failed' end, r.data_checksum, r.error::jsonb,
        ${documentDate(sql`r.render_options::jsonb`, ofVersion(v.createdAt))}, ${nowOr()},
        case when r.error is not null then ${nowOr()} end, ${of.keyId},
        case when r.error is null then (select month from budget_month) end,
        ${jsonText(of.includes.length === 0 ? null : of.includes)}::jsonb, ${ofVersion(v.approval)}
      from unnest(${values((row) => row.documentId)}, ${values((row) => row.filename)},
        ${values((row) => jsonText(row.pdfOptions))}, ${values((row) => jsonText(row.renderOptions))},
        ${values((row) => jsonText(row.email))}, ${values((row) => row.dataChecksum)},
        ${values((row) => jsonText(row.error))})
        as r (id, filename, pdf_options, render_options, email, data_checksum, error)`,
  );
}
