import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';
import type { ClaimedGeneration, EmailRequest, OutputFormat } from './generation-record.ts';

interface Row extends Record<string, unknown> {
  readonly account_id: string;
  readonly template_id: string;
  readonly template_version: number;
  readonly template_object_key: string;
  readonly template_checksum: string;
  readonly format: OutputFormat;
  readonly filename: string;
  readonly pdf_options: Readonly<Record<string, unknown>> | null;
  readonly render_options: Readonly<Record<string, unknown>> | null;
  readonly email: EmailRequest | null;
  readonly is_kept: boolean;
  readonly data_checksum: string;
  readonly attempts: number;
  readonly queue_ms: number;
  readonly is_watched: boolean;
}

/**
 * Takes an unfinished document for one attempt. The new token fences every earlier attempt: only its holder can finish
 * the row. Undefined when the document is finished already.
 */
export async function claimGeneration(db: Executor, id: string): Promise<ClaimedGeneration | undefined> {
  const attemptToken = newId('att');
  const [row] = await run<Row>(
    db,
    sql`update generations set status = 'running', attempts = attempts + 1, attempt_token = ${attemptToken},
        started_at = coalesce(started_at, now())
      where id = ${id} and status in ('queued', 'running')
      returning account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
        pdf_options, render_options, email, is_kept, data_checksum, attempts,
        round(extract(epoch from now() - accepted_at) * 1000)::float as queue_ms,
        callback_url is not null or exists (
          select 1 from webhook_endpoints e where e.account_id = generations.account_id) as is_watched`,
  );
  if (row === undefined) return undefined;
  return {
    id,
    accountId: row.account_id,
    templateId: row.template_id,
    templateVersion: row.template_version,
    templateObjectKey: row.template_object_key,
    templateChecksum: row.template_checksum,
    format: row.format,
    filename: row.filename,
    pdfOptions: row.pdf_options ?? undefined,
    renderOptions: row.render_options ?? undefined,
    email: row.email ?? undefined,
    isKept: row.is_kept,
    dataChecksum: row.data_checksum,
    attempts: row.attempts,
    attemptToken,
    queueMs: row.queue_ms,
    isWatched: row.is_watched,
    claimedAtMs: performance.now(),
  };
}
