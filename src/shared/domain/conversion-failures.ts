import { desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Executor } from '../db/client.ts';
import { excluded } from '../db/column-names.ts';
import { conversionFailures } from '../db/schema/documents.ts';
import { run } from '../db/statement.ts';
import { AppError } from '../errors.ts';

/** After this many failures a document is quarantined, until an operator clears it or its inputs change. */
export const failuresToQuarantine = 2;

const maxListed = 1_000;

export interface ConversionFailure {
  /** Identifies the inputs: template, version, checksum of the data, format. */
  readonly fingerprint: string;
  readonly accountId: string;
  readonly documentId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly reason: string;
  readonly evidenceKey: string | undefined;
  readonly sizeBytes: number;
}

/** Records that a document crashed or hung a LibreOffice slot. Returns its number of failures. */
export async function recordConversionFailure(db: Executor, input: ConversionFailure): Promise<number> {
  const { failures, documentId, reason, evidenceKey, fingerprint } = conversionFailures;
  const [row] = await run(
    db,
    db
      .insert(conversionFailures)
      .values({ ...input, failures: 1 })
      .onConflictDoUpdate({
        target: fingerprint,
        set: {
          failures: sql`${failures} + 1`,
          documentId: excluded(documentId),
          reason: excluded(reason),
          evidenceKey: sql`coalesce(${excluded(evidenceKey)}, ${evidenceKey})`,
          updatedAt: sql`now()`,
        },
      })
      .returning({ failures }),
  );
  return row?.failures ?? 1;
}

export async function countConversionFailures(db: Executor, fingerprint: string): Promise<number> {
  const { failures } = conversionFailures;
  const [row] = await run(
    db,
    db.select({ failures }).from(conversionFailures).where(eq(conversionFailures.fingerprint, fingerprint)),
  );
  return row?.failures ?? 0;
}

/**
 * Clears a document's quarantine; the sweep of orphaned objects removes its evidence. Throws `not_found` if it has no
 * failures.
 */
export async function clearConversionFailures(
  db: Executor,
  fingerprint: string,
): Promise<{ readonly fingerprint: string }> {
  const [row] = await run(
    db,
    db
      .delete(conversionFailures)
      .where(eq(conversionFailures.fingerprint, fingerprint))
      .returning({ fingerprint: conversionFailures.fingerprint }),
  );
  if (row === undefined) throw new AppError('not_found', `No document has the fingerprint ${fingerprint}`);
  return row;
}

/**
 * Deletes the records of up to `limit` documents whose last failure is older than `ttlSeconds`, oldest first, and
 * returns the keys of their evidence. The caller removes these objects; the sweep of orphaned objects removes any that remain.
 */
export async function expireConversionFailures(
  db: Executor,
  ttlSeconds: number,
  limit: number,
): Promise<{ readonly expired: number; readonly evidenceKeys: readonly string[] }> {
  const { fingerprint, updatedAt, evidenceKey } = conversionFailures;
  const old = db
    .select({ fingerprint })
    .from(conversionFailures)
    .where(lt(updatedAt, sql`now() - make_interval(secs => ${ttlSeconds})`))
    .orderBy(updatedAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  const rows = await run(db, db.delete(conversionFailures).where(inArray(fingerprint, old)).returning({ evidenceKey }));
  return { expired: rows.length, evidenceKeys: rows.flatMap((row) => row.evidenceKey ?? []) };
}

/** A document that crashed or hung LibreOffice, with what an operator needs to investigate. */
export interface FailedConversion {
  readonly fingerprint: string;
  readonly isQuarantined: boolean;
  readonly failures: number;
  readonly reason: string;
  readonly accountId: string;
  /** The latest document with this fingerprint. */
  readonly documentId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  /** The object that holds the filled .docx; null if it could not be stored. */
  readonly evidenceKey: string | null;
  readonly updatedAt: Date;
}

/** Documents with conversion failures, of one account or of all, newest first; at most 1,000. */
export async function listConversionFailures(db: Executor, account?: string): Promise<FailedConversion[]> {
  const { fingerprint, failures, reason, accountId, documentId, updatedAt } = conversionFailures;
  const { templateId, templateVersion, evidenceKey } = conversionFailures;
  const rows = await run(
    db,
    db
      .select({
        fingerprint,
        failures,
        reason,
        accountId,
        documentId,
        templateId,
        templateVersion,
        evidenceKey,
        updatedAt,
      })
      .from(conversionFailures)
      .where(account === undefined ? undefined : eq(accountId, account))
      .orderBy(desc(updatedAt))
      .limit(maxListed),
  );
  return rows.map((row) => ({ ...row, isQuarantined: row.failures >= failuresToQuarantine }));
}
