import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { strikesToQuarantine } from './conversion-failures.ts';

const most = 1_000;

/** A document that killed or hung LibreOffice, with what an operator needs to look into it. */
export interface StruckDocument {
  readonly fingerprint: string;
  readonly isQuarantined: boolean;
  readonly strikes: number;
  readonly reason: string;
  readonly accountId: string;
  /** The last document that it happened to. */
  readonly documentId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  /** Where the filled .docx is kept in the object store; null when it could not be. */
  readonly evidenceKey: string | null;
  readonly updatedAt: string;
}

/** The documents with strikes, of one account or of all, newest first; a thousand at most. */
export async function listStrikes(db: Executor, accountId?: string): Promise<StruckDocument[]> {
  const rows = await run<Omit<StruckDocument, 'updatedAt'> & { readonly updatedAt: Date | string }>(
    db,
    sql`select fingerprint, strikes >= ${strikesToQuarantine} as "isQuarantined", strikes, reason,
        account_id as "accountId", generation_id as "documentId", template_id as "templateId",
        template_version as "templateVersion", evidence_key as "evidenceKey", updated_at as "updatedAt"
      from conversion_strikes where ${accountId ?? null}::text is null or account_id = ${accountId ?? null}
      order by updated_at desc limit ${most}`,
  );
  return rows.map((row) => ({ ...row, updatedAt: new Date(row.updatedAt).toISOString() }));
}
