import { timingSafeEqual } from 'node:crypto';
import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { bool, cast } from '../../db/row.ts';
import { operatorKeys } from '../../db/schema/operators.ts';
import { nowPlus, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { newId, randomText } from '../../ids.ts';
import { hashApiKey } from '../api-keys/api-key.ts';
import { type OperatorScopes, readOperatorScopes } from './operator-scopes.ts';

const k = operatorKeys;
const pattern = /^dop_([0-9a-hjkmnp-tv-z]{16})_([0-9a-hjkmnp-tv-z]{40})$/;
const usedEveryMs = 60_000;

export interface NewOperatorKey {
  readonly name: string;
  /** Null for every scope. */
  readonly scopes: OperatorScopes;
  /** Null for every address. */
  readonly addressRanges: readonly string[] | null;
  /** Null for the configured limit. */
  readonly requestsPerMinute: number | null;
  readonly expiresAt: Date | null;
}

export interface OperatorKeyRecord extends NewOperatorKey {
  readonly operatorKeyId: string;
  readonly createdAt: Date;
  /** Accurate to a minute. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface CreatedOperatorKey extends NewOperatorKey {
  readonly operatorKeyId: string;
  /** The key as operators send it; only its hash is stored. */
  readonly operatorKey: string;
}

/** `dop_`, 80 random bits that identify the row, `_`, and a secret of 200 random bits. */
export async function createOperatorKey(db: Executor, input: NewOperatorKey): Promise<CreatedOperatorKey> {
  const operatorKeyId = newId('opk');
  const publicId = randomText(16);
  const operatorKey = `dop_${publicId}_${randomText(40)}`;
  const { name, scopes, addressRanges, requestsPerMinute, expiresAt } = input;
  await run(
    db,
    db.insert(k).values({
      id: operatorKeyId,
      name,
      scopes: scopes === null ? null : [...scopes],
      addressRanges: addressRanges === null ? null : [...addressRanges],
      requestsPerMinute,
      expiresAt,
      publicId,
      secretHash: hashApiKey(operatorKey),
    }),
  );
  return { operatorKeyId, name, scopes, addressRanges, requestsPerMinute, expiresAt, operatorKey };
}

/** The holder of a valid operator key. */
export interface OperatorHolder {
  readonly operatorKeyId: string;
  readonly scopes: OperatorScopes;
  readonly requestsPerMinute: number | null;
  /** Null for every address. */
  readonly addressRanges: readonly string[] | null;
  /** Null for never. */
  readonly expiresAt: Date | null;
}

/** The holder of a valid key, and undefined for a malformed, unknown, expired or revoked one. Records its use. */
export async function findOperatorKey(db: Executor, operatorKey: string): Promise<OperatorHolder | undefined> {
  const publicId = pattern.exec(operatorKey)?.[1];
  if (publicId === undefined) return undefined;
  const isUsable = and(isNull(k.revokedAt), or(isNull(k.expiresAt), gt(k.expiresAt, sql`now()`)));
  const isUseOld = sql`coalesce(${k.lastUsedAt} < ${nowPlus(-usedEveryMs)}, true)`;
  const [row] = await run(
    db,
    db
      .select({
        id: k.id,
        scopes: k.scopes,
        addressRanges: k.addressRanges,
        requestsPerMinute: k.requestsPerMinute,
        expiresAt: k.expiresAt,
        secretHash: k.secretHash,
        isUseOld: cast(bool, isUseOld),
      })
      .from(k)
      .where(and(eq(k.publicId, publicId), isUsable)),
  );
  if (row === undefined || !timingSafeEqual(row.secretHash, hashApiKey(operatorKey))) return undefined;
  const { id, addressRanges } = row;
  if (row.isUseOld)
    await run(
      db,
      db
        .update(k)
        .set({ lastUsedAt: sql`now()` })
        .where(and(eq(k.id, id), isUseOld)),
    );
  return {
    operatorKeyId: id,
    scopes: readOperatorScopes(row.scopes),
    requestsPerMinute: row.requestsPerMinute,
    addressRanges,
    expiresAt: row.expiresAt,
  };
}

/** A page of all operator keys, newest first, without their secrets; revoked and expired ones too. */
export async function listOperatorKeys(
  db: Executor,
  { limit, before }: { readonly limit: number; readonly before: string | undefined },
): Promise<{ readonly keys: readonly OperatorKeyRecord[]; readonly next: string | null }> {
  const { id, name, scopes, addressRanges, requestsPerMinute, createdAt, expiresAt, lastUsedAt, revokedAt } = k;
  const rows = await run(
    db,
    db
      .select({
        operatorKeyId: id,
        name,
        scopes,
        addressRanges,
        requestsPerMinute,
        createdAt,
        expiresAt,
        lastUsedAt,
        revokedAt,
      })
      .from(k)
      .where(before === undefined ? undefined : lt(id, before))
      .orderBy(desc(id))
      .limit(limit + 1),
  );
  const keys = rows.slice(0, limit).map((row) => ({ ...row, scopes: readOperatorScopes(row.scopes) }));
  return { keys, next: rows.length > limit ? (keys.at(-1)?.operatorKeyId ?? null) : null };
}

/** Revokes an operator key at once. Revoking it again succeeds and keeps the first time. */
export async function revokeOperatorKey(
  db: Executor,
  operatorKeyId: string,
): Promise<{ readonly operatorKeyId: string; readonly revokedAt: Date | null }> {
  const [row] = await run(
    db,
    db
      .update(k)
      .set({ revokedAt: sql`coalesce(${k.revokedAt}, now())` })
      .where(eq(k.id, operatorKeyId))
      .returning({ revokedAt: k.revokedAt }),
  );
  if (row === undefined) throw new AppError('not_found', `There is no operator key ${operatorKeyId}`);
  return { operatorKeyId, revokedAt: row.revokedAt };
}
