import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { type ExpectedState, inState, refuseChange } from './expected-state.ts';
import { findTemplate } from './find-template.ts';
import { findVersion } from './find-version.ts';
import type { TemplateRecord } from './template-record.ts';

/** Makes a version, older or newer, the current one. What was accepted keeps the version it was accepted with. */
export async function promoteVersion(
  db: Executor,
  input: {
    readonly accountId: string;
    readonly templateId: string;
    readonly version: number;
    readonly expected?: ExpectedState | undefined;
  },
): Promise<TemplateRecord> {
  await findVersion(db, input);
  const rows = await run(
    db,
    sql`update templates set version = ${input.version}, updated_at = now()
      where id = ${input.templateId} and account_id = ${input.accountId} and deleted_at is null
        ${inState(input.expected)} returning id`,
  );
  if (rows.length === 0) return refuseChange(db, input.accountId, input.templateId);
  return findTemplate(db, input.accountId, input.templateId);
}
