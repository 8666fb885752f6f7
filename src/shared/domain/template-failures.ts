import { and, desc, eq, sql } from 'drizzle-orm';
import { aliased } from '../db/aliased.ts';
import type { Executor } from '../db/client.ts';
import { columnList, excluded, names } from '../db/column-names.ts';
import { bool, rowOf } from '../db/row.ts';
import { templateFailures } from '../db/schema/documents.ts';
import { nowPlus, query, run } from '../db/statement.ts';
import { AppError } from '../errors.ts';

const minuteMs = 60_000;
/** Suspends a template after this many failures within the window, without a success in between. */
const failuresToSuspend = 3;
const windowMs = 10 * minuteMs;
/** The length of the first suspension. Each further one lasts twice as long. */
const suspensionMs = 10 * minuteMs;
const maxSuspensionMs = 24 * 60 * minuteMs;
/** A template that fails this soon after a suspension is suspended again at its first failure. */
const probationMs = 24 * 60 * minuteMs;
/** How long failures are kept. Longer than a suspension with its probation. */
const retentionMs = 3 * 24 * 60 * minuteMs;
const maxListed = 1_000;

export interface TemplateFailure {
  readonly accountId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly documentId: string;
  readonly reason: string;
}

const f = aliased(templateFailures, 'f');
const set = names(templateFailures);
const suspendedRow = rowOf({ is_suspended: bool });

const isOld = sql`${f.windowStartedAt} <= ${nowPlus(-windowMs)}`;
const isSuspended = sql`coalesce(${f.suspendedUntil} > now(), false)`;
const isOnProbation = sql`coalesce(${f.suspendedUntil} > ${nowPlus(-probationMs)}, false)`;
const count = sql`case when ${isOld} then 1 else ${f.failures} + 1 end`;
const isTooMany = sql`not ${isSuspended} and (${isOnProbation} or ${count} >= ${failuresToSuspend}::int)`;
const suspensions = sql`case when ${isOnProbation} then ${f.suspensions} else 0 end`;
const nextUntil = sql`now() + make_interval(secs => least(${maxSuspensionMs / 1_000}::float,
  ${suspensionMs / 1_000}::float * power(2, least(${suspensions}, 10))))`;

/**
 * Counts a document of this template that crashed or hung an engine. True if this suspends the template: its documents
 * are rejected for a while. Failures during a suspension do not extend it. Also deletes old failures.
 */
export async function recordTemplateFailure(db: Executor, failure: TemplateFailure): Promise<boolean> {
  const { accountId, templateId, templateVersion, documentId, reason } = failure;
  const t = templateFailures;
  const [row] = await query(
    db,
    suspendedRow,
    sql`with forgotten as (
        delete from ${t} where (${t.templateId}, ${t.templateVersion}) in (
          select ${f.templateId}, ${f.templateVersion} from ${t} ${f}
          where ${f.updatedAt} < ${nowPlus(-retentionMs)}
            and (${f.templateId}, ${f.templateVersion}) <> (${templateId}, ${templateVersion}::int)
          order by ${f.updatedAt} limit 100 for update skip locked)
      )
      insert into ${t} as ${f}
        ${columnList(t.accountId, t.templateId, t.templateVersion, t.documentId, t.reason, t.failures, t.suspensions, t.windowStartedAt, t.updatedAt)}
      values (${accountId}, ${templateId}, ${templateVersion}, ${documentId}, ${reason}, 1, 0, now(), now())
      on conflict ${columnList(t.templateId, t.templateVersion)} do update set
        ${set.failures} = case when ${isTooMany} then 0 else ${count} end,
        ${set.suspensions} = case when ${isTooMany} then ${suspensions} + 1 else ${f.suspensions} end,
        ${set.suspendedUntil} = case when ${isTooMany} then ${nextUntil} else ${f.suspendedUntil} end,
        ${set.windowStartedAt} = case when ${isOld} then now() else ${f.windowStartedAt} end,
        ${set.documentId} = ${excluded(t.documentId)}, ${set.reason} = ${excluded(t.reason)},
        ${set.updatedAt} = now()
      returning ${f.failures} = 0 as is_suspended`,
  );
  return row?.is_suspended === true;
}

/** A success resets the failure count and the record of earlier suspensions. It does not end a suspension. */
export async function forgetTemplateFailures(db: Executor, templateId: string, version: number): Promise<void> {
  const { templateId: id, templateVersion, suspendedUntil } = templateFailures;
  await run(
    db,
    db
      .delete(templateFailures)
      .where(and(eq(id, templateId), eq(templateVersion, version), sql`coalesce(${suspendedUntil}, now()) <= now()`)),
  );
}

/** Ends the suspension of every version of a template. Throws `not_found` if none has failures. */
export async function liftSuspension(db: Executor, templateId: string): Promise<{ readonly template: string }> {
  const rows = await run(
    db,
    db
      .delete(templateFailures)
      .where(eq(templateFailures.templateId, templateId))
      .returning({ version: templateFailures.templateVersion }),
  );
  if (rows.length === 0) throw new AppError('not_found', `No document of the template ${templateId} has failed`);
  return { template: templateId };
}

/** A template version whose documents crashed or hung an engine, with what an operator needs to investigate. */
export interface FailingTemplate {
  readonly templateId: string;
  readonly templateVersion: number;
  readonly accountId: string;
  /** Its documents are rejected until this time; null if they are produced as usual. */
  readonly suspendedUntil: Date | null;
  /** The number since the last success or suspension. */
  readonly failures: number;
  readonly suspensions: number;
  readonly reason: string;
  /** The latest document that failed. */
  readonly documentId: string;
  readonly updatedAt: Date;
}

/** Templates with failures, of one account or of all, newest first; at most 1,000. */
export async function listTemplateFailures(db: Executor, account?: string): Promise<FailingTemplate[]> {
  const { templateId, templateVersion, accountId, suspendedUntil, failures, suspensions } = templateFailures;
  const { reason, documentId, updatedAt } = templateFailures;
  const rows = await run(
    db,
    db
      .select({
        templateId,
        templateVersion,
        accountId,
        suspendedUntil,
        failures,
        suspensions,
        reason,
        documentId,
        updatedAt,
      })
      .from(templateFailures)
      .where(account === undefined ? undefined : eq(accountId, account))
      .orderBy(desc(updatedAt))
      .limit(maxListed),
  );
  const isOver = (until: Date | null): boolean => until === null || until.getTime() <= Date.now();
  return rows.map((row) => ({ ...row, suspendedUntil: isOver(row.suspendedUntil) ? null : row.suspendedUntil }));
}
