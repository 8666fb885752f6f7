import { timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { hashApiKey, parsePublicId } from './api-key.ts';

export interface KeyHolder {
  readonly accountId: string;
  readonly keyId: string;
  /** Milliseconds from the look-up to the key's expiry, by the database's clock; undefined for a key without one. */
  readonly expiresInMs?: number | undefined;
}

/** The holder of a live key; undefined for a malformed, unknown, expired or revoked one, all alike. */
export async function findKey(db: Executor, apiKey: string): Promise<KeyHolder | undefined> {
  const publicId = parsePublicId(apiKey);
  if (publicId === undefined) return undefined;
  const [row] = await run<{ id: string; account_id: string; secret_hash: Buffer; expires_in_ms: number | null }>(
    db,
    sql`select id, account_id, secret_hash, (extract(epoch from expires_at - now()) * 1000)::float8 as expires_in_ms from api_keys
      where public_id = ${publicId} and revoked_at is null and (expires_at is null or expires_at > now())`,
  );
  if (row === undefined || !timingSafeEqual(row.secret_hash, hashApiKey(apiKey))) return undefined;
  return { accountId: row.account_id, keyId: row.id, expiresInMs: row.expires_in_ms ?? undefined };
}
