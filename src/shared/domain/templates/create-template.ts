import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Database, Executor } from '../../db/client.ts';
import { columnList, isOneOf, names } from '../../db/column-names.ts';
import { bool, rowOf } from '../../db/row.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { idempotencyKeys, type StoredResponse, type StoredTemplate } from '../../db/schema/idempotency.ts';
import { allowances, subscriptions } from '../../db/schema/quota.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { guarded, jsonbValue, nowOr, query } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { claimIdempotencyKey, type IdempotencyClaim, rememberResponse } from '../idempotency-keys.ts';
import { withPropertyOrder } from './property-order.ts';
import type { TemplateContent, TemplateRecord } from './template-record.ts';

export interface CreateTemplateInput extends TemplateContent {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
}

const templateQuotaExceeded = (): AppError =>
  new AppError(
    'quota_exceeded',
    'The template quota is used up: 1 template is needed, 0 are left. Delete a template, or ask for a larger quota.',
  );

const createdRow = rowOf({ created_at: templateVersions.createdAt, review_state: templateVersions.reviewState });
const a = aliased(accounts, 'a');
const account = names(accounts);

/**
 * Takes a unit of the template quota and creates the template in one statement, so that the limit is never exceeded.
 */
export async function createTemplate(db: Executor, input: CreateTemplateInput, at?: Date): Promise<TemplateRecord> {
  const t = templates;
  const [row] = await query(
    db,
    createdRow,
    sql`with unit as (
        update ${accounts} ${a} set ${account.templateCount} = ${a.templateCount} + 1
        where ${a.id} = ${input.accountId} and ${a.templateCount} < ${templateLimit(input.accountId, at)} returning ${a.id}, ${a.needsApproval} as needs_approval
      ), template as (
        insert into ${templates}
          ${columnList(t.id, t.accountId, t.name, t.version, t.draftVersion, t.createdAt, t.updatedAt)}
        select ${input.id}, unit.id, ${input.name}, 1, case when unit.needs_approval then 1 end, ${nowOr(at)}, ${nowOr(at)}
        from unit
        returning ${t.id} as id, ${t.version} as version, ${t.createdAt} as at, ${t.draftVersion} is not null as is_draft
      )
      ${insertVersion(input)}
      returning ${templateVersions.createdAt}, ${templateVersions.reviewState}`,
  );
  if (row === undefined) throw templateQuotaExceeded();
  const { accountId: _owner, schema: _schema, example: _example, statedSchema: _stated, ...mapped } = input;
  const { invoiceMap: _map, uploadedBy: _author, ...content } = mapped;
  return {
    ...content,
    accessibility: content.accessibility ?? [],
    syntax: content.syntax ?? null,
    includes: content.includes?.length ? content.includes : null,
    version: 1,
    createdAt: row.created_at,
    updatedAt: row.created_at,
    engine: null,
    draftVersion: row.review_state === null ? null : 1,
    reviewState: row.review_state,
  };
}

/**
 * Inserts a version for the row in the common table expression `template`, which has an `id`, a `version`, a time `at`
 * and whether the version `is_draft`.
 */
export function insertVersion(content: TemplateContent): SQL {
  const v = templateVersions;
  const columns = columnList(
    ...[
      v.templateId,
      v.version,
      v.objectKey,
      v.sizeBytes,
      v.checksum,
      v.tags,
      v.fonts,
      v.accessibility,
      v.schema,
      v.example,
      v.statedSchema,
      v.syntax,
      v.includes,
      v.invoiceMap,
      v.uploadedBy,
      v.reviewState,
      v.createdAt,
    ],
  );
  return sql`insert into ${templateVersions} ${columns}
      select id, version, ${content.objectKey}, ${content.sizeBytes}, ${content.checksum}, ${jsonbValue(content.tags)},
        ${jsonbValue(content.fonts)}, ${jsonbValue(content.accessibility ?? [])}, ${jsonbValue(content.schema && withPropertyOrder(content.schema))}, ${jsonbValue(content.example)},
        ${jsonbValue(content.statedSchema && withPropertyOrder(content.statedSchema))},
        ${jsonbValue(content.syntax ?? undefined)}, ${jsonbValue(content.includes?.length ? content.includes : null)},
        ${content.invoiceMap ?? null}::text, ${content.uploadedBy ?? null}::text, case when is_draft then 'draft' end, at
      from template`;
}

/**
 * Like `createTemplate`, but bound to an idempotency key in the same transaction: a repeated request returns the same
 * template.
 */
export async function createTemplateOnce(
  db: Database,
  input: CreateTemplateInput,
  key: Omit<IdempotencyClaim, 'resourceId'>,
): Promise<{ readonly template: TemplateRecord; readonly isReplay: boolean }> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      const holder = await claimIdempotencyKey(tx, input.accountId, { ...key, resourceId: input.id });
      if (holder.resourceId !== input.id) return { template: fromStoredResponse(holder.response), isReplay: true };
      const template = await createTemplate(tx, input);
      await rememberResponse(tx, input.accountId, key.key, toStoredTemplate(template));
      return { template, isReplay: false };
    }),
  );
}

function toStoredTemplate({ createdAt, updatedAt, ...template }: TemplateRecord): StoredTemplate {
  return { ...template, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

function fromStoredResponse(response: StoredResponse | null): TemplateRecord {
  if (response === null || 'text' in response) throw new Error('the stored response is not a template');
  const { createdAt, updatedAt, ...template } = response;
  const { draftVersion = null, reviewState = null } = response;
  return { ...template, draftVersion, reviewState, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}

const quotaRow = rowOf({ has_quota: bool });
const k = aliased(idempotencyKeys, 'k');

/**
 * Fails early if the account has no template quota left, unless the request repeats an earlier one. `createTemplate`
 * enforces the limit under concurrency.
 */
export async function requireTemplateQuota(
  db: Executor,
  accountId: string,
  idempotencyKey: string | undefined,
): Promise<void> {
  const [row] = await query(
    db,
    quotaRow,
    sql`select ${a.templateCount} < ${templateLimit(accountId, undefined)} or exists (
          select 1 from ${idempotencyKeys} ${k} where ${k.accountId} = ${a.id} and ${k.key} = ${idempotencyKey ?? null})
        as has_quota
      from ${accounts} ${a} where ${a.id} = ${accountId}`,
  );
  if (row?.has_quota !== true) throw templateQuotaExceeded();
}

const s = aliased(subscriptions, 's');
const c = aliased(allowances, 'c');

function templateLimit(accountId: string, at: Date | undefined): SQL {
  return sql`(
    coalesce((select ${s.templates} from ${subscriptions} ${s} where ${s.accountId} = ${accountId}), 0) +
    coalesce((select sum(${c.templates}) from ${allowances} ${c}
      where ${c.accountId} = ${accountId} and ${isOneOf(c.kind, 'credits')}
        and ${c.startsAt} <= ${nowOr(at)} and (${c.endsAt} is null or ${c.endsAt} > ${nowOr(at)})), 0))`;
}
