import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { failuresToQuarantine } from './conversion-failures.ts';

const most = 1_000;

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
  /** Where the filled .docx is kept in the object store; null when it could not be. */
  readonly evidenceKey: string | null;
  readonly updatedAt: string;
}

/** Documents with conversion failures, of one account or of all, newest first; at most 1,000. */
export async function listConversionFailures(db: Executor, accountId?: string): Promise<FailedConversion[]> {
  const rows = await run<Omit<FailedConversion, 'updatedAt'> & { readonly updatedAt: Date | string }>(
    db,
    sql`select fingerprint, failures >= ${failuresToQuarantine} as "isQuarantined", failures, reason,
        account_id as "accountId", generation_id as "documentId", template_id as "templateId",
        template_version as "templateVersion", evidence_key as "evidenceKey", updated_at as "updatedAt"
      from conversion_failures where ${accountId ?? null}::text is null or account_id = ${accountId ?? null}
      order by updated_at desc limit ${most}`,
  );
  return rows.map((row) => ({ ...row, updatedAt: new Date(row.updatedAt).toISOString() }));
}
