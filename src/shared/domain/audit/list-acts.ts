import { and, desc, eq, gte, lt } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { auditLog } from '../../db/schema/audit.ts';
import { run } from '../../db/statement.ts';

export interface ActFilter {
  readonly accountId: string | undefined;
  readonly action: string | undefined;
  readonly since: Date | undefined;
  /** The last id of the previous page. */
  readonly before: string | undefined;
  readonly limit: number;
}

export interface ActPage {
  readonly acts: readonly (typeof auditLog.$inferSelect)[];
  /** The `before` of the next page; null on the last page. */
  readonly next: string | null;
}

/** A page of the audit log, newest first. */
export async function listActs(db: Executor, filter: ActFilter): Promise<ActPage> {
  const { id, at, accountId, action } = auditLog;
  const rows = await run(
    db,
    db
      .select()
      .from(auditLog)
      .where(
        and(
          filter.accountId === undefined ? undefined : eq(accountId, filter.accountId),
          filter.action === undefined ? undefined : eq(action, filter.action),
          filter.since === undefined ? undefined : gte(at, filter.since),
          filter.before === undefined ? undefined : lt(id, filter.before),
        ),
      )
      .orderBy(desc(id))
      .limit(filter.limit + 1),
  );
  const acts = rows.slice(0, filter.limit);
  return { acts, next: rows.length > filter.limit ? (acts.at(-1)?.id ?? null) : null };
}
