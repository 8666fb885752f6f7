import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { json, nowOr, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { TemplateContent, TemplateRecord } from './template-record.ts';

export interface CreateTemplateInput extends TemplateContent {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
}

export const templateQuotaExceeded = (): AppError =>
  new AppError('quota_exceeded', 'The template quota is used up. Delete a template, or ask for a larger quota.');

/** Takes a place of the template quota and makes the template, in one statement: at the limit exactly one of many wins. */
export async function createTemplate(db: Executor, input: CreateTemplateInput, at?: Date): Promise<TemplateRecord> {
  const [row] = await run<{ created_at: string }>(
    db,
    sql`with place as (
        update accounts a set template_count = template_count + 1
        where a.id = ${input.accountId} and a.template_count < ${templateLimit(input.accountId, at)} returning id
      ), template as (
        insert into templates (id, account_id, name, version, created_at, updated_at)
        select ${input.id}, id, ${input.name}, 1, ${nowOr(at)}, ${nowOr(at)} from place returning id, created_at
      )
      insert into template_versions (template_id, version, object_key, size_bytes, checksum, tags, fonts, schema, example,
        created_at)
      select id, 1, ${input.objectKey}, ${input.sizeBytes}, ${input.checksum}, ${JSON.stringify(input.tags)}::jsonb,
        ${JSON.stringify(input.fonts)}::jsonb, ${json(input.schema)}::jsonb, ${json(input.example)}::jsonb, created_at
      from template
      returning created_at`,
  );
  if (row === undefined) throw templateQuotaExceeded();
  const { accountId: _owner, schema: _schema, example: _example, ...content } = input;
  return { ...content, version: 1, createdAt: new Date(row.created_at), updatedAt: new Date(row.created_at) };
}

/**
 * Refuses early, before any work, an account that has no place left; not the repetition of a request that got one.
 * `createTemplate` is what makes it exact.
 */
export async function requireTemplatePlace(
  db: Executor,
  accountId: string,
  idempotencyKey: string | undefined,
): Promise<void> {
  const [row] = await run<{ has_place: boolean }>(
    db,
    sql`select a.template_count < ${templateLimit(accountId, undefined)} or exists (select 1 from idempotency_keys k
          where k.account_id = a.id and k.key = ${idempotencyKey ?? null}) as has_place
      from accounts a where a.id = ${accountId}`,
  );
  if (row?.has_place !== true) throw templateQuotaExceeded();
}

function templateLimit(accountId: string, at: Date | undefined) {
  return sql`(
    coalesce((select s.templates from subscriptions s where s.account_id = ${accountId}), 0) +
    coalesce((select sum(c.templates) from allowances c where c.account_id = ${accountId} and c.kind = 'credits'
      and c.starts_at <= ${nowOr(at)} and (c.ends_at is null or c.ends_at > ${nowOr(at)})), 0))`;
}
