import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { auditLog, keyUse } from '../../db/schema/audit.ts';
import { execute } from '../../db/statement.ts';

/**
 * Deletes up to `limit` entries of the audit log that are older than `days`, which is at least a year. Returns how
 * many.
 */
export function removeOldActs(db: Executor, days: number, limit: number): Promise<number> {
  return execute(
    db,
    sql`delete from ${auditLog} where ${auditLog.id} = any(array(
      select ${auditLog.id} from ${auditLog} where ${auditLog.at} < now() - make_interval(days => ${days})
      order by ${auditLog.id} limit ${limit}))`,
  );
}

/** Deletes up to `limit` key-use rows that are older than `days`, and returns how many. */
export function removeOldKeyUse(db: Executor, days: number, limit: number): Promise<number> {
  const { keyId, day, scope } = keyUse;
  return execute(
    db,
    sql`delete from ${keyUse} where (${keyId}, ${day}, ${scope}) in (
      select ${keyId}, ${day}, ${scope} from ${keyUse}
      where ${day} < (now() at time zone 'UTC')::date - ${days}::int order by ${day} limit ${limit})`,
  );
}
