import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';
import type { ClaimedGeneration, EmailRequest, OutputFormat } from './generation-record.ts';
import { statusValues } from './status-values.ts';

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly attempt_token: string;
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
  const [claim] = await claimGenerations(db, [id]);
  return claim;
}

/**
 * As `claimGeneration`, for several, each of which is named once; those that are finished already are left out. A claim is not
 * waited for until it is on the disk: it is there before its settlement is, and one that a crash of PostgreSQL takes back
 * (`isClaimLost`) is made again.
 */
export async function claimGenerations(db: Executor, ids: readonly string[]): Promise<readonly ClaimedGeneration[]> {
  const tokens = ids.map(() => newId('att'));
  const rows = await run<Row>(
    db,
    sql`update generations g set status = 'running', attempts = attempts + 1, attempt_token = c.token,
        started_at = coalesce(started_at, now())
      from unnest(${sql.param(ids)}::text[], ${sql.param(tokens)}::text[]) as c (id, token),
        (select set_config('synchronous_commit', 'off', true)) as hurry
      where g.id = any(${sql.param(ids)}::text[]) and g.id = c.id and g.status = any(${sql.param(statusValues.unfinished)}::text[])
      returning g.id, account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
        pdf_options, render_options, email, is_kept, data_checksum, attempts, attempt_token,
        round(extract(epoch from now() - accepted_at) * 1000)::float as queue_ms,
        callback_url is not null or exists (
          select 1 from webhook_endpoints e where e.account_id = g.account_id) as is_watched`,
  );
  return rows.map(toClaim);
}

/** Has the database forgotten this claim, and is the document still to be made? */
export async function isClaimLost(db: Executor, claim: ClaimedGeneration): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from generations
      where id = ${claim.id} and status in ('queued', 'running') and attempts < ${claim.attempts}`,
  );
  return rows.length === 1;
}

function toClaim(row: Row): ClaimedGeneration {
  return {
    id: row.id,
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
    attemptToken: row.attempt_token,
    queueMs: row.queue_ms,
    emitsEvents: row.is_watched,
    isMailed: row.email !== null,
    claimedAtMs: performance.now(),
  };
}
