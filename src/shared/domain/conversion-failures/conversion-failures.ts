import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

/** After this many failures a document is quarantined until an operator lifts the quarantine or its inputs change. */
export const failuresToQuarantine = 2;

export interface ConversionFailure {
  /** Identifies the inputs: template, version, checksum of the data, format. */
  readonly fingerprint: string;
  readonly accountId: string;
  readonly generationId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly reason: string;
  readonly evidenceKey: string | undefined;
  readonly sizeBytes: number;
}

/** Counts one crashed or hung LibreOffice slot against a document. Returns the new count. */
export async function recordConversionFailure(db: Executor, input: ConversionFailure): Promise<number> {
  const [row] = await run<{ failures: number }>(
    db,
    sql`insert into conversion_failures as f (fingerprint, account_id, failures, generation_id, template_id,
        template_version, reason, evidence_key, size_bytes)
      values (${input.fingerprint}, ${input.accountId}, 1, ${input.generationId}, ${input.templateId},
        ${input.templateVersion}, ${input.reason}, ${input.evidenceKey ?? null}, ${input.sizeBytes})
      on conflict (fingerprint) do update set failures = f.failures + 1, generation_id = excluded.generation_id,
        reason = excluded.reason, evidence_key = coalesce(excluded.evidence_key, f.evidence_key), updated_at = now()
      returning failures`,
  );
  return row?.failures ?? 1;
}

export async function countConversionFailures(db: Executor, fingerprint: string): Promise<number> {
  const [row] = await run<{ failures: number }>(
    db,
    sql`select failures from conversion_failures where fingerprint = ${fingerprint}`,
  );
  return row?.failures ?? 0;
}

/** Lifts the quarantine of a document. Throws `not_found` when it has no failures. */
export async function clearConversionFailures(
  db: Executor,
  fingerprint: string,
): Promise<{ readonly fingerprint: string }> {
  const [row] = await run<{ fingerprint: string }>(
    db,
    sql`delete from conversion_failures where fingerprint = ${fingerprint} returning fingerprint`,
  );
  if (row === undefined) throw new AppError('not_found', `No document has the fingerprint ${fingerprint}`);
  return row;
}
