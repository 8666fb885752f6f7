import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { makeApiKey } from './api-key.ts';

/** Makes a key for an account. The key itself is in this answer and nowhere else: only its hash is stored. */
export async function createKey(
  db: Executor,
  input: { readonly accountId: string; readonly expiresAt?: Date | undefined },
): Promise<{ readonly keyId: string; readonly accountId: string; readonly apiKey: string }> {
  const keyId = newId('key');
  const { apiKey, publicId, secretHash } = makeApiKey();
  const rows = await run(
    db,
    sql`insert into api_keys (id, account_id, public_id, secret_hash, expires_at)
      select ${keyId}, id, ${publicId}, ${secretHash}, ${input.expiresAt?.toISOString() ?? null}::timestamptz
      from accounts where id = ${input.accountId} returning id`,
  );
  if (rows.length === 0) throw new AppError('not_found', `There is no account ${input.accountId}`);
  return { keyId, accountId: input.accountId, apiKey };
}
