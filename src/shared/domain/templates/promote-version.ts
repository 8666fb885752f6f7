import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { changeTemplate } from './change-template.ts';
import { changeTime, type ExpectedState, inState } from './expected-state.ts';
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
  return changeTemplate(db, input, (tx) =>
    run(
      tx,
      sql`update templates set version = ${input.version}, updated_at = ${changeTime}
      where id = ${input.templateId} and account_id = ${input.accountId} and deleted_at is null
        ${inState(input.expected)} returning id`,
    ),
  );
}
