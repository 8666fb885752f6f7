import { sql } from 'drizzle-orm';
import type { ErrorRecord } from '../../errors.ts';
import type {
  GenerationRecord,
  GenerationStatus,
  GenerationTimings,
  GenerationWarning,
  OutputFormat,
} from './generation-record.ts';

export interface GenerationRow extends Record<string, unknown> {
  readonly id: string;
  readonly account_id: string;
  readonly template_id: string;
  readonly template_version: number;
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
  readonly pages: number | null;
  readonly accepted_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly expires_at: string | null;
}

export const selectGenerations = sql`select id, account_id, template_id, template_version, status, format, filename,
    email ->> 'deliveryId' as delivery_id, error, warnings, timings, result_store, result_key, result_bytes,
    result_checksum, pages, accepted_at, started_at, finished_at, expires_at
  from generations`;

export function toGenerationRecord(row: GenerationRow): GenerationRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    templateId: row.template_id,
    templateVersion: row.template_version,
    status: row.status,
    format: row.format,
    filename: row.filename,
    deliveryId: row.delivery_id ?? undefined,
    error: row.error ?? undefined,
    warnings: row.warnings ?? [],
    timings: row.timings ?? undefined,
    result: toResult(row),
    pages: row.pages ?? undefined,
    acceptedAt: new Date(row.accepted_at),
    startedAt: toDate(row.started_at),
    finishedAt: toDate(row.finished_at),
    expiresAt: toDate(row.expires_at),
  };
}

function toDate(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text);
}

function toResult(row: GenerationRow): GenerationRecord['result'] {
  if (row.result_store === null || row.result_key === null) return undefined;
  return {
    store: row.result_store,
    key: row.result_key,
    sizeBytes: row.result_bytes ?? 0,
    checksum: row.result_checksum ?? '',
  };
}
