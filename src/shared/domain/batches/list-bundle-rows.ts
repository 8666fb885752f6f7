import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { GenerationStatus, OutputFormat } from '../generations/generation-record.ts';

/** One row of a batch, as bundles and manifests tell of it. */
export interface BundleRow {
  readonly row: number;
  readonly generationId: string;
  readonly status: GenerationStatus;
  readonly filename: string;
  readonly format: OutputFormat;
  readonly pages: number | undefined;
  readonly error: ErrorRecord | undefined;
  /** Of a document that was made, also when its bytes are not kept any more. */
  readonly sizeBytes: number | undefined;
  readonly checksum: string | undefined;
  readonly resultKey: string | undefined;
}

interface Row extends Record<string, unknown> {
  readonly row: number;
  readonly id: string;
  readonly status: GenerationStatus;
  readonly filename: string;
  readonly format: OutputFormat;
  readonly pages: number | null;
  readonly error: ErrorRecord | null;
  readonly result_bytes: number | null;
  readonly result_checksum: string | null;
  readonly result_key: string | null;
}

const pageSize = 500;

export interface RowRange {
  readonly firstRow: number;
  readonly lastRow: number;
}

const allRows: RowRange = { firstRow: 1, lastRow: 2_147_483_647 };

/** The rows of a batch in their order, read page by page while they are taken. */
export async function* listBundleRows(
  db: Executor,
  batchId: string,
  { firstRow, lastRow }: RowRange = allRows,
): AsyncGenerator<BundleRow> {
  let after = firstRow - 1;
  for (;;) {
    const rows = await run<Row>(
      db,
      sql`select r.row, g.id, g.status, g.filename, g.format, g.pages, g.error, g.result_bytes, g.result_checksum,
          case when g.result_store = 'object' then g.result_key end as result_key
        from batch_rows r join generations g on g.id = r.generation_id
        where r.batch_id = ${batchId} and r.row > ${after} and r.row <= ${lastRow} order by r.row limit ${pageSize}`,
    );
    for (const row of rows) yield toBundleRow(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.row;
  }
}

function toBundleRow(row: Row): BundleRow {
  return {
    row: row.row,
    generationId: row.id,
    status: row.status,
    filename: row.filename,
    format: row.format,
    pages: row.pages ?? undefined,
    error: row.error ?? undefined,
    sizeBytes: row.result_bytes ?? undefined,
    checksum: row.result_checksum ?? undefined,
    resultKey: row.result_key ?? undefined,
  };
}
