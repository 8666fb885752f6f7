import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { batchRows } from '../../db/schema/batches.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { DocumentStatus, OutputFormat } from '../documents/document-record.ts';

/** One row of a batch, which is a document. */
export interface BatchItem {
  /** Counted from 1, in the order of the request. */
  readonly row: number;
  readonly documentId: string;
  readonly status: DocumentStatus;
  readonly filename: string;
  readonly sizeBytes: number | undefined;
  readonly error: ErrorRecord | undefined;
}

/** One row of a batch, as bundles and manifests list it. */
export interface BundleRow extends BatchItem {
  readonly format: OutputFormat;
  readonly pages: number | undefined;
  /** SHA-256, hex. `sizeBytes` and `checksum` remain after the file has expired. */
  readonly checksum: string | undefined;
  readonly resultKey: string | undefined;
}

function selectRows(db: Executor) {
  const { id, status, filename, format, pages, error, resultBytes, resultChecksum, resultStore, resultKey } =
    generations;
  return db
    .select({
      row: batchRows.row,
      documentId: id,
      status,
      filename,
      format,
      pages,
      error,
      sizeBytes: resultBytes,
      checksum: resultChecksum,
      resultStore,
      resultKey,
      erasedAt: generations.erasedAt,
    })
    .from(batchRows)
    .innerJoin(generations, eq(generations.id, batchRows.documentId))
    .$dynamic();
}

type Row = Awaited<ReturnType<typeof selectRows>>[number];

function toBundleRow({ resultStore, resultKey, erasedAt, ...row }: Row): BundleRow {
  return {
    ...row,
    // Erased documents are omitted from bundles, and lists offer no download.
    status: erasedAt === null ? row.status : 'cancelled',
    pages: row.pages ?? undefined,
    error: row.error ?? undefined,
    sizeBytes: row.sizeBytes ?? undefined,
    checksum: row.checksum ?? undefined,
    resultKey: resultStore === 'object' ? (resultKey ?? undefined) : undefined,
  };
}

export interface ItemPageInput {
  readonly batchId: string;
  readonly limit: number;
  /** The last row of the previous page. */
  readonly after: number;
  readonly status?: DocumentStatus | undefined;
}

/** A page of a batch's rows in order; `next` is the last row when there are more. */
export async function listItems(
  db: Executor,
  { batchId, limit, after, status }: ItemPageInput,
): Promise<{ readonly items: readonly BatchItem[]; readonly next: number | undefined }> {
  const hasStatus = status && and(eq(generations.batchId, batchId), eq(generations.status, status));
  const rows = await run(
    db,
    selectRows(db)
      .where(and(eq(batchRows.batchId, batchId), gt(batchRows.row, after), hasStatus))
      .orderBy(asc(batchRows.row))
      .limit(limit + 1),
  );
  const items = rows.slice(0, limit).map(toBundleRow);
  return { items, next: rows.length > limit ? items.at(-1)?.row : undefined };
}

export interface RowRange {
  readonly firstRow: number;
  readonly lastRow: number;
}

const pageSize = 500;
const allRows: RowRange = { firstRow: 1, lastRow: 2_147_483_647 };

/** The rows of a batch in order, read page by page as they are consumed. */
export async function* listBundleRows(
  db: Executor,
  batchId: string,
  { firstRow, lastRow }: RowRange = allRows,
): AsyncGenerator<BundleRow> {
  let after = firstRow - 1;
  for (;;) {
    const rows = await run(
      db,
      selectRows(db)
        .where(and(eq(batchRows.batchId, batchId), gt(batchRows.row, after), lte(batchRows.row, lastRow)))
        .orderBy(asc(batchRows.row))
        .limit(pageSize),
    );
    for (const row of rows) yield toBundleRow(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.row;
  }
}

export interface FailedRow {
  readonly row: number;
  readonly documentId: string;
}

/** The rows of a batch whose documents failed, in order; excluding rows that never had valid data. */
export function findFailedRows(db: Executor, batchId: string): Promise<readonly FailedRow[]> {
  const { row, documentId, dataBytes } = batchRows;
  const hasFailed = and(eq(generations.batchId, batchId), isOneOf(generations.status, 'failed'));
  return run(
    db,
    db
      .select({ row, documentId })
      .from(generations)
      .innerJoin(batchRows, eq(documentId, generations.id))
      .where(and(hasFailed, isNull(generations.erasedAt), sql`${dataBytes} > 0`))
      .orderBy(asc(row)),
  );
}
