import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import type {
  GenerationRecord,
  GenerationStatus,
  GenerationTimings,
  GenerationWarning,
  OutputFormat,
} from './generation-record.ts';

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly account_id: string;
  readonly template_id: string;
  readonly status: GenerationStatus;
  readonly format: OutputFormat;
  readonly filename: string;
  readonly delivery_id: string | null;
  readonly error: ErrorRecord | null;
  readonly warnings: readonly GenerationWarning[] | null;
  readonly timings: GenerationTimings | null;
  readonly result_store: 'redis' | 'object' | null;
  readonly result_key: string | null;
  readonly result_bytes: number | null;
  readonly result_checksum: string | null;
}

/** The document's row, or undefined. The caller has found out whose it is. */
export async function findGeneration(db: Executor, id: string): Promise<GenerationRecord | undefined> {
  const [row] = await run<Row>(
    db,
    sql`select id, account_id, template_id, status, format, filename, email ->> 'deliveryId' as delivery_id, error,
        warnings, timings, result_store, result_key, result_bytes, result_checksum
      from generations where id = ${id}`,
  );
  if (row === undefined) return undefined;
  return {
    id: row.id,
    accountId: row.account_id,
    templateId: row.template_id,
    status: row.status,
    format: row.format,
    filename: row.filename,
    deliveryId: row.delivery_id ?? undefined,
    error: row.error ?? undefined,
    warnings: row.warnings ?? [],
    timings: row.timings ?? undefined,
    result: toResult(row),
  };
}

function toResult(row: Row): GenerationRecord['result'] {
  if (row.result_store === null || row.result_key === null) return undefined;
  return {
    store: row.result_store,
    key: row.result_key,
    sizeBytes: row.result_bytes ?? 0,
    checksum: row.result_checksum ?? '',
  };
}
