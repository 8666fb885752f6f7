import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { changeTemplate } from './change-template.ts';
import { changeTime, type ExpectedState, inState } from './expected-state.ts';
import type { TemplateRecord } from './template-record.ts';

export async function renameTemplate(
  db: Executor,
  input: {
    readonly accountId: string;
    readonly templateId: string;
    readonly name: string;
    readonly expected?: ExpectedState | undefined;
  },
): Promise<TemplateRecord> {
  return changeTemplate(db, input, (tx) =>
    run(
      tx,
      sql`update templates set name = ${input.name}, updated_at = ${changeTime}
      where id = ${input.templateId} and account_id = ${input.accountId} and deleted_at is null
        ${inState(input.expected)} returning id`,
    ),
  );
}
