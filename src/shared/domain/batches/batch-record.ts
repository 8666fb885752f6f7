import { sql } from 'drizzle-orm';
import type { BatchFile } from '../../db/schema/batches.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { OutputFormat } from '../generations/generation-record.ts';

export type BatchStatus = 'accepted' | 'running' | 'bundling' | 'completed' | 'cancelled' | 'failed';
export type BundleKind = 'zip' | 'pdf' | 'none';

/** A batch's row as the API reads it; how far its rows are is for `readProgress`. */
export interface BatchRecord {
  readonly id: string;
  readonly accountId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly format: OutputFormat;
  readonly bundle: BundleKind;
  readonly status: BatchStatus;
  readonly rows: number;
  readonly maxFailures: number | undefined;
  readonly error: ErrorRecord | undefined;
  readonly files: readonly BatchFile[];
  readonly inputKey: string;
  readonly acceptedAt: Date;
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
}

export interface BatchRow extends Record<string, unknown> {
  readonly id: string;
  readonly account_id: string;
  readonly template_id: string;
  readonly template_version: number;
  readonly format: OutputFormat;
  readonly bundle: BundleKind;
  readonly status: BatchStatus;
  readonly rows: number;
  readonly max_failures: number | null;
  readonly error: ErrorRecord | null;
  readonly files: readonly BatchFile[] | null;
  readonly input_key: string;
  readonly accepted_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly expires_at: string | null;
}

export const selectBatches = sql`select id, account_id, template_id, template_version, format, bundle, status, rows,
    max_failures, error, files, input_key, accepted_at, started_at, finished_at, expires_at
  from batches`;

export function toBatchRecord(row: BatchRow): BatchRecord {
  const toDate = (text: string | null): Date | undefined => (text === null ? undefined : new Date(text));
  return {
    id: row.id,
    accountId: row.account_id,
    templateId: row.template_id,
    templateVersion: row.template_version,
    format: row.format,
    bundle: row.bundle,
    status: row.status,
    rows: row.rows,
    maxFailures: row.max_failures ?? undefined,
    error: row.error ?? undefined,
    files: row.files ?? [],
    inputKey: row.input_key,
    acceptedAt: new Date(row.accepted_at),
    startedAt: toDate(row.started_at),
    finishedAt: toDate(row.finished_at),
    expiresAt: toDate(row.expires_at),
  };
}
