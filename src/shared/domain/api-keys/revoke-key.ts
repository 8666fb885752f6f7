import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

/** Revokes a key by its id. Revoking it again changes nothing and succeeds. */
export async function revokeKey(
  db: Executor,
  keyId: string,
): Promise<{ readonly keyId: string; readonly revokedAt: Date }> {
  const [row] = await run<{ revoked_at: string }>(
    db,
    sql`update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ${keyId} returning revoked_at`,
  );
  if (row === undefined) throw new AppError('not_found', `There is no key ${keyId}`);
  return { keyId, revokedAt: new Date(row.revoked_at) };
}
