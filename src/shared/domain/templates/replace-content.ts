import { sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/client.ts';
import { json, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { changeTemplate } from './change-template.ts';
import { compareSchemas, type DataSchema, type SchemaChange } from './compare-schemas.ts';
import { changeTime, type ExpectedState, inState } from './expected-state.ts';
import type { TemplateContent, TemplateRecord } from './template-record.ts';

export interface ReplaceContentInput extends TemplateContent {
  readonly templateId: string;
  readonly accountId: string;
  readonly name: string;
  readonly expected?: ExpectedState | undefined;
  /** Refuse a version that drops, retypes or newly requires data of the one it takes the place of. */
  readonly isStrict?: boolean | undefined;
}

export interface ReplacedTemplate extends TemplateRecord {
  /** Against the version it took the place of; undefined when one of them has no whole schema. */
  readonly schemaChanges: readonly SchemaChange[] | undefined;
}

/**
 * Adds a version and makes it the current one. Parallel calls line up on the row: each gets a number of its own, and is
 * compared with the one before it. Throws `template_invalid` for a change that `isStrict` does not allow.
 */
export async function replaceContent(db: Executor, input: ReplaceContentInput): Promise<ReplacedTemplate> {
  let schemaChanges: readonly SchemaChange[] | undefined;
  const template = await changeTemplate(db, input, async (tx) => {
    const [held] = await holdTemplate(tx, input);
    if (held === undefined) return [];
    schemaChanges = await compareWith(tx, input, held.version);
    if (input.isStrict === true && schemaChanges !== undefined && schemaChanges.length > 0)
      throw breaking(schemaChanges);
    return addVersion(tx, input);
  });
  return { ...template, schemaChanges };
}

function holdTemplate(tx: Transaction, input: ReplaceContentInput): Promise<{ version: number }[]> {
  return run(
    tx,
    sql`select version from templates
      where id = ${input.templateId} and account_id = ${input.accountId} and deleted_at is null
        ${inState(input.expected)}
      for no key update`,
  );
}

async function compareWith(
  tx: Transaction,
  { templateId, schema }: ReplaceContentInput,
  version: number,
): Promise<readonly SchemaChange[] | undefined> {
  const [current] = await run<{ schema: DataSchema | null }>(
    tx,
    sql`select schema from template_versions where template_id = ${templateId} and version = ${version}`,
  );
  if (current === undefined || current.schema === null || schema === undefined) return undefined;
  return compareSchemas(current.schema, schema);
}

function addVersion(tx: Transaction, input: ReplaceContentInput): Promise<unknown[]> {
  return run(
    tx,
    sql`with template as (
        update templates set version = latest_version + 1, latest_version = latest_version + 1, name = ${input.name}, updated_at = ${changeTime}
        where id = ${input.templateId} returning id, version, updated_at
      )
      insert into template_versions (template_id, version, object_key, size_bytes, checksum, tags, fonts, schema, example,
        created_at)
      select id, version, ${input.objectKey}, ${input.sizeBytes}, ${input.checksum},
        ${JSON.stringify(input.tags)}::jsonb, ${JSON.stringify(input.fonts)}::jsonb,
        ${json(input.schema)}::jsonb, ${json(input.example)}::jsonb, updated_at from template
      returning version`,
  );
}

function breaking(changes: readonly SchemaChange[]): AppError {
  return new AppError('template_invalid', 'The new version does not fit the data that the current one takes', {
    details: changes.map(({ message, name, hint }) => ({ type: 'Message', message, name, hint })),
  });
}
