import { and, eq, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/client.ts';
import { names } from '../../db/column-names.ts';
import { rowOf } from '../../db/row.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { query, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { type ChangeInput, changeTemplate, changeTime, isChangeable } from './change-template.ts';
import { compareSchemas, type SchemaChange } from './compare-schemas.ts';
import { insertVersion } from './create-template.ts';
import { findTemplate } from './find-template.ts';
import { isReleased } from './review-states.ts';
import type { TemplateContent, TemplateRecord } from './template-record.ts';

export interface ReplaceContentInput extends TemplateContent, ChangeInput {
  readonly name: string;
  /** Whether to reject a version that removes, retypes or newly requires fields of the one it replaces. */
  readonly isStrict?: boolean | undefined;
}

export interface ReplacedTemplate extends TemplateRecord {
  /** Changes from the replaced version; undefined if either schema is missing or incomplete. */
  readonly schemaChanges: readonly SchemaChange[] | undefined;
}

/**
 * Adds a version and makes it the current one, or a draft if the account needs approval. A row lock serialises
 * concurrent calls: each gets its own number and is compared with the current version before it. Throws `template_invalid` for a change that `isStrict` does not allow.
 */
export async function replaceContent(db: Executor, input: ReplaceContentInput): Promise<ReplacedTemplate> {
  const { accountId, templateId } = input;
  let schemaChanges: readonly SchemaChange[] | undefined;
  const add = async (tx: Transaction): Promise<readonly unknown[]> => {
    const [locked] = await run(
      tx,
      tx.select({ version: templates.version }).from(templates).where(isChangeable(input)).for('no key update'),
    );
    if (locked === undefined) return [];
    schemaChanges = await compareWith(tx, input, locked.version);
    if (input.isStrict === true && schemaChanges !== undefined && schemaChanges.length > 0)
      throw breaking(schemaChanges);
    return addVersion(tx, input);
  };
  const template = await changeTemplate(db, input, add, (tx) => findTemplate(tx, accountId, templateId, 'newest'));
  return { ...template, schemaChanges };
}

async function compareWith(
  tx: Transaction,
  { templateId, schema }: ReplaceContentInput,
  version: number,
): Promise<readonly SchemaChange[] | undefined> {
  const [current] = await run(
    tx,
    tx
      .select({ schema: templateVersions.schema })
      .from(templateVersions)
      .where(and(eq(templateVersions.templateId, templateId), eq(templateVersions.version, version))),
  );
  if (current === undefined || current.schema === null || schema === undefined) return undefined;
  return compareSchemas(current.schema, schema);
}

const versionRow = rowOf({ version: templateVersions.version });
const set = names(templates);

const needsApproval = sql`(select ${accounts.needsApproval} from ${accounts}
  where ${accounts.id} = ${templates.accountId})`;
const hasLiveVersion = sql`exists (select 1 from ${templateVersions} where ${templateVersions.templateId} = ${templates.id}
  and ${templateVersions.version} = ${templates.version} and ${isReleased(templateVersions)})`;

/**
 * A draft changes nothing for live keys: neither the current version, unless none is live, nor the name, by which other
 * templates may include this one.
 */
function addVersion(tx: Transaction, input: ReplaceContentInput): Promise<readonly unknown[]> {
  const next = sql`${templates.latestVersion} + 1`;
  return query(
    tx,
    versionRow,
    sql`with template as (
        update ${templates} set
          ${set.version} = case when ${needsApproval} and ${hasLiveVersion} then ${templates.version} else ${next} end,
          ${set.latestVersion} = ${next}, ${set.draftVersion} = case when ${needsApproval} then ${next} end,
          ${set.name} = case when ${needsApproval} then ${templates.name} else ${input.name} end,
          ${set.updatedAt} = ${changeTime}
        where ${templates.id} = ${input.templateId}
        returning ${templates.id} as id, ${templates.latestVersion} as version, ${templates.updatedAt} as at,
          ${templates.draftVersion} is not null as is_draft
      )
      ${insertVersion(input)}
      returning ${templateVersions.version}`,
  );
}

function breaking(changes: readonly SchemaChange[]): AppError {
  return new AppError('template_invalid', 'The new version does not fit the data of the current version', {
    details: changes.map(({ message, name, hint }) => ({ type: 'Message', message, name, hint })),
  });
}
