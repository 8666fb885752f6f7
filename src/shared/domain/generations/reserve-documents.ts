import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { spendBudget } from '../api-keys/spend-budget.ts';
import type { GenerationRequest } from './generation-request.ts';

export interface Reservation extends Record<string, unknown> {
  readonly id: string;
  readonly filename: string | null;
  readonly is_found: boolean;
  readonly is_held: boolean;
  readonly is_over_budget: boolean;
  readonly is_month_missing: boolean;
}

/** What the documents of one statement share. */
export interface ReservationOf {
  readonly accountId: string;
  readonly keyId: string | undefined;
  readonly at?: Date | undefined;
}

/**
 * Reserves a unit of quota for each document and writes their rows: all or none, in one statement. They are taken from one
 * allowance, the first that has anything left; where that is too little for all, none is held, and each is to be tried alone.
 */
export async function reserveDocuments(
  db: Executor,
  { accountId, keyId, at }: ReservationOf,
  requests: readonly GenerationRequest[],
): Promise<readonly Reservation[]> {
  const now = nowOr(at);
  const units = sql`${requests.length}::int`;
  const templateIds = [...new Set(requests.map(({ templateId }) => templateId))];
  return run<Reservation>(
    db,
    sql`with orders as (
        select * from json_to_recordset(${JSON.stringify(requests.map(toOrder))}::json) as o (id text, template_id text,
          version int, format text, filename text, pdf_options jsonb, render_options jsonb, email jsonb, callback_url text,
          is_kept boolean, data_checksum text)
      ), wanted as (
        select o.id, t.id as template_id, v.version, v.object_key, v.checksum,
          coalesce(o.filename, regexp_replace(t.name, '[.]docx$', '', 'i') || '.' || o.format) as filename
        from orders o join templates t on t.id = o.template_id
          join template_versions v on v.template_id = t.id and v.version = coalesce(o.version, t.version)
        where t.id = any(${sql.param(templateIds)}::text[]) and t.account_id = ${accountId} and t.deleted_at is null
      ), month_missing as (
        select 1 from subscriptions s where s.account_id = ${accountId} and exists (select 1 from wanted)
          and not exists (select 1 from allowances a where a.account_id = s.account_id and a.kind = 'subscription'
            and a.starts_at <= ${now} and a.ends_at > ${now})
      ), source as (
        select id, docs - docs_held - docs_settled >= ${units} as is_enough from allowances
        where account_id = ${accountId} and starts_at <= ${now} and (ends_at is null or ends_at > ${now})
          and docs > docs_held + docs_settled
          and (select count(*) from wanted) = ${units} and not exists (select 1 from month_missing)
        order by kind desc, ends_at nulls last, id limit 1 for no key update
      ), ${spendBudget({ keyId, docs: requests.length, when: sql`exists (select 1 from source where is_enough)`, at: now })},
      held as (
        update allowances a set docs_held = a.docs_held + ${units} from source
        where a.id = source.id and source.is_enough and a.docs >= a.docs_held + a.docs_settled + ${units}
          and (not exists (select 1 from budget) or exists (select 1 from spent)) returning a.id
      ), generation as (
        insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum,
          format, filename, pdf_options, render_options, email, callback_url, is_kept, status, data_checksum, accepted_at,
          api_key_id, budget_month)
        select o.id, ${accountId}, w.template_id, w.version, w.object_key, w.checksum, o.format, w.filename, o.pdf_options,
          o.render_options, o.email, o.callback_url, o.is_kept, 'queued', o.data_checksum, ${now}, ${keyId ?? null}::text,
          (select month from spent)
        from orders o join wanted w using (id), held returning id
      ), entry as (
        insert into ledger (account_id, generation_id, allowance_id, kind, units, created_at)
        select ${accountId}, generation.id, held.id, 'reserve', 1, ${now} from generation, held
      )
      select o.id, w.filename, w.id is not null as is_found, exists (select 1 from generation) as is_held,
        exists (select 1 from budget) and not exists (select 1 from spent) as is_over_budget,
        exists (select 1 from month_missing) as is_month_missing
      from orders o left join wanted w using (id)`,
  );
}

function toOrder(request: GenerationRequest): Record<string, unknown> {
  return {
    id: request.id,
    template_id: request.templateId,
    version: request.version ?? null,
    format: request.format,
    filename: request.filename,
    pdf_options: request.pdfOptions,
    render_options: request.renderOptions ?? null,
    email: request.email,
    callback_url: request.callbackUrl ?? null,
    is_kept: request.isKept,
    data_checksum: request.dataChecksum,
  };
}
