import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { json, run } from '../../db/statement.ts';
import { changeTemplate } from './change-template.ts';
import { type ExpectedState, inState } from './expected-state.ts';
import type { TemplateContent, TemplateRecord } from './template-record.ts';

export interface ReplaceContentInput extends TemplateContent {
  readonly templateId: string;
  readonly accountId: string;
  readonly name: string;
  readonly expected?: ExpectedState | undefined;
}

/** Adds a version and makes it the current one. Parallel calls line up on the row and each gets a number of its own. */
export async function replaceContent(db: Executor, input: ReplaceContentInput): Promise<TemplateRecord> {
  return changeTemplate(db, input, (tx) =>
    run(
      tx,
      sql`with template as (
        update templates set version = latest_version + 1, latest_version = latest_version + 1, name = ${input.name}, updated_at = now()
        where id = ${input.templateId} and account_id = ${input.accountId} and deleted_at is null
          ${inState(input.expected)}
        returning id, version, updated_at
      )
      insert into template_versions (template_id, version, object_key, size_bytes, checksum, tags, fonts, schema, example,
        created_at)
      select id, version, ${input.objectKey}, ${input.sizeBytes}, ${input.checksum},
        ${JSON.stringify(input.tags)}::jsonb, ${JSON.stringify(input.fonts)}::jsonb,
        ${json(input.schema)}::jsonb, ${json(input.example)}::jsonb, updated_at from template
      returning version`,
    ),
  );
}
