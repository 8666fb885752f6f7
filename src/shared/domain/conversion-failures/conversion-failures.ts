import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

/** So many strikes keep a document from LibreOffice, until an operator lifts them or it is another document. */
export const strikesToQuarantine = 2;

export interface StrikeInput {
  /** Names what was converted: template, version, checksum of the data, format. */
  readonly fingerprint: string;
  readonly accountId: string;
  readonly generationId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly reason: string;
  readonly evidenceKey: string | undefined;
  readonly sizeBytes: number;
}

/** Counts one killed or hung LibreOffice slot against a document; answers how many there are now. */
export async function addStrike(db: Executor, input: StrikeInput): Promise<number> {
  const [row] = await run<{ strikes: number }>(
    db,
    sql`insert into conversion_strikes as s (fingerprint, account_id, strikes, generation_id, template_id,
        template_version, reason, evidence_key, size_bytes)
      values (${input.fingerprint}, ${input.accountId}, 1, ${input.generationId}, ${input.templateId},
        ${input.templateVersion}, ${input.reason}, ${input.evidenceKey ?? null}, ${input.sizeBytes})
      on conflict (fingerprint) do update set strikes = s.strikes + 1, generation_id = excluded.generation_id,
        reason = excluded.reason, evidence_key = coalesce(excluded.evidence_key, s.evidence_key), updated_at = now()
      returning strikes`,
  );
  return row?.strikes ?? 1;
}

export async function countStrikes(db: Executor, fingerprint: string): Promise<number> {
  const [row] = await run<{ strikes: number }>(
    db,
    sql`select strikes from conversion_strikes where fingerprint = ${fingerprint}`,
  );
  return row?.strikes ?? 0;
}

/** Lifts the quarantine of a document. Throws `not_found` when it has no strike. */
export async function clearStrikes(db: Executor, fingerprint: string): Promise<{ readonly fingerprint: string }> {
  const [row] = await run<{ fingerprint: string }>(
    db,
    sql`delete from conversion_strikes where fingerprint = ${fingerprint} returning fingerprint`,
  );
  if (row === undefined) throw new AppError('not_found', `No document has the fingerprint ${fingerprint}`);
  return row;
}
