import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { columnList, isOneOf, names } from '../../db/column-names.ts';
import { fixedStatement } from '../../db/fixed-statement.ts';
import { bool, int4, nullable, type RowOf, rowOf, text } from '../../db/row.ts';
import { generations } from '../../db/schema/documents.ts';
import { allowances, ledger, subscriptions } from '../../db/schema/quota.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { limitedWait, nowOr, query } from '../../db/statement.ts';
import type { PdfOptions, RequestedRenderOptions } from '../../output-options.ts';
import type { RequestTrace } from '../../request-trace.ts';
import { spendBudgets } from '../api-keys/budget.ts';
import type { EmailLimits } from '../deliveries/email-limits.ts';
import { resolvedIncludes } from '../templates/resolve-includes.ts';
import { isReleased } from '../templates/review-states.ts';
import { documentDate } from './document-date.ts';
import type { EmailRequest, OutputFormat } from './document-record.ts';

export interface NewDocument {
  readonly id: string;
  readonly templateId: string;
  /** The version to use; when undefined, the current one, and for a test key the newest draft. */
  readonly version?: number | undefined;
  readonly format: OutputFormat;
  /** The complete file name, with extension. Null for the template's name. */
  readonly filename: string | null;
  readonly pdfOptions: PdfOptions | null;
  /** `locale`, `timezone` and `onMissing`, which control formatting and missing values. */
  readonly renderOptions?: RequestedRenderOptions | null | undefined;
  readonly email: EmailRequest | null;
  /** The service's e-mail limits; undefined to accept the e-mail without counting it. */
  readonly emailLimits?: EmailLimits | undefined;
  /** Receives the result of this document, in addition to the account's endpoints. */
  readonly callbackUrl?: string | undefined;
  /** Whether to keep the file in object storage until it expires, for a replay or a delivery. */
  readonly isKept: boolean;
  readonly dataChecksum: string;
  /** The API key of the request, whose budget is charged if it has one. */
  readonly keyId?: string | undefined;
  /** The originating request, named by the document's logs, webhooks and spans. */
  readonly trace?: RequestTrace | undefined;
  /** The key is a test key. */
  readonly isTest?: boolean | undefined;
}

const reservationRow = rowOf({
  id: text,
  filename: nullable(text),
  template_version: nullable(int4),
  engine: nullable(text),
  is_found: bool,
  is_held: bool,
  is_over_budget: bool,
  is_month_missing: bool,
});
export type Reservation = RowOf<typeof reservationRow>;

/** A request and the account that it belongs to. */
export interface AccountRequest {
  readonly accountId: string;
  readonly request: NewDocument;
}

const t = aliased(templates, 't');
const v = aliased(templateVersions, 'v');
const s = aliased(subscriptions, 's');
const a = aliased(allowances, 'a');
const allowance = names(allowances);

export interface ReservationOptions {
  /** Fails if the lock on an allowance is not free within this time; undefined for the connection's own limit. */
  readonly maxLockWaitMs?: number | undefined;
  readonly at?: Date | undefined;
}

/**
 * Reserves a unit of quota for each document and writes their rows, in one statement for any number of accounts. The
 * units of one account all come from its first allowance with units left: if that does not have enough for all of the
 * account's requests, none of them is accepted, and each must be tried alone. The requests of other accounts are not
 * affected. Locks the allowances in the order of their accounts, as settling does, to avoid deadlocks.
 */
export function reserveDocuments(
  db: Executor,
  requests: readonly AccountRequest[],
  { maxLockWaitMs, at }: ReservationOptions = {},
): Promise<readonly Reservation[]> {
  const values = {
    requests: JSON.stringify(requests.map(toJson)),
    lockWait: maxLockWaitMs === undefined ? null : `${maxLockWaitMs}ms`,
  };
  const statement = at === undefined ? reserveNow(values) : reserveAt({ ...values, at: at.toISOString() });
  return query(db, reservationRow, statement);
}

interface ReservationValues extends Record<string, unknown> {
  readonly requests: string;
  readonly lockWait: string | null;
}

const reserveNow = fixedStatement<ReservationValues>((values) => reservation(values, nowOr()));
const reserveAt = fixedStatement<ReservationValues & { readonly at: string }>((values) =>
  reservation(values, sql`${values.at}::timestamptz`),
);

type Parameters = { readonly [K in keyof ReservationValues]: SQL };

/**
 * The common table expressions `requests` and `resolved`: each request, and each with the version of its template.
 * `resolved` leaves out a request whose template includes others that cannot be resolved, and one of a live key whose
 * version is not approved. Each template is looked up by
 * itself: a plan that joins all of them could read whole tables.
 */
function resolution({ requests }: Pick<Parameters, 'requests'>): SQL {
  return sql`requests as (
        select * from json_to_recordset(${requests}::json) as r (id text, account_id text, key_id text, is_test boolean,
          template_id text, version int, format text, filename text, pdf_options jsonb, render_options jsonb, email jsonb,
          callback_url text, is_kept boolean, data_checksum text, trace jsonb)
      ), found as materialized (
        select r.id, r.account_id, r.key_id, r.is_test, r.format, r.pdf_options, r.render_options, r.email, r.callback_url,
          r.is_kept, r.data_checksum, r.trace, f.template_id, f.version, f.object_key, f.checksum, f.engine, f.approval,
          r.is_test or f.is_released as is_usable,
          f.includes is not null as has_includes,
          ${documentDate(sql`r.render_options`, sql`f.created_at`)} as document_date,
          case when f.includes is not null then ${resolvedIncludes(sql`r.account_id`, sql`f.includes`, sql`r.is_test`)} end as includes,
          coalesce(r.filename, regexp_replace(f.name, '[.]docx$', '', 'i') || '.' || r.format) as filename
        from requests r, lateral (
          select ${t.id} as template_id, ${t.name} as name, ${t.engine} as engine, ${v.version}, ${v.objectKey} as object_key,
            ${v.checksum} as checksum, ${v.includes} as includes, ${v.createdAt} as created_at, ${v.approval} as approval,
            ${isReleased(v)} as is_released
          from ${templates} ${t} join ${templateVersions} ${v}
            on ${v.templateId} = ${t.id} and ${v.version} = coalesce(r.version, case when r.is_test then ${t.draftVersion} end, ${t.version})
          where ${t.id} = r.template_id and ${t.accountId} = r.account_id and ${t.deletedAt} is null limit 1) f
      ), resolved as (
        select * from found where is_usable and (not has_includes or includes is not null))`;
}

/**
 * `needs` counts the requests of each key, `source` is the allowance of each account, and `paid` are the keys whose
 * account and budget both suffice. Test keys are in none of them: they have no ledger entry, so settling and releasing
 * their documents moves no units.
 */
function reservation(parameters: Parameters, now: SQL): SQL {
  return sql`with ${resolution(parameters)}, needs as (
        select account_id, key_id, count(*)::int as docs from resolved where not is_test group by account_id, key_id
      ), month_missing as (
        select account_id from (select account_id from needs group by account_id) n
        where exists (select 1 from ${subscriptions} ${s} where ${s.accountId} = n.account_id offset 0) and not exists (
          select 1 from ${allowances} ${a} where ${a.accountId} = n.account_id
            and ${isOneOf(a.kind, 'subscription')} and ${a.startsAt} <= ${now} and ${a.endsAt} > ${now} offset 0)
      ), source as (
        select n.account_id, f.id, f.units >= n.docs as is_enough
        from (select account_id, sum(docs)::int as docs from needs
            where account_id not in (select account_id from month_missing) group by account_id order by account_id) n,
          ${limitedWait(parameters.lockWait)},
          lateral (
            select ${a.id} as id, ${a.docs} - ${a.docsHeld} - ${a.docsSettled} as units from ${allowances} ${a}
            where ${a.accountId} = n.account_id and ${a.startsAt} <= ${now} and (${a.endsAt} is null or ${a.endsAt} > ${now})
              and ${a.docs} > ${a.docsHeld} + ${a.docsSettled} and wait.lock is not null
            order by ${a.kind} desc, ${a.endsAt} nulls last, ${a.id} limit 1 for no key update) f
      ), ${spendBudgets(sql`(select n.key_id, n.docs from needs n join source s using (account_id) where s.is_enough)`, now)},
      paid as (
        select n.account_id, n.key_id, n.docs, s.id as allowance_id, p.month
        from needs n join source s on s.account_id = n.account_id and s.is_enough
          left join budget b on b.id = n.key_id left join spent p on p.key_id = n.key_id
        where b.id is null or p.key_id is not null
      ), held as (
        update ${allowances} ${a} set ${allowance.docsHeld} = ${a.docsHeld} + p.docs
        from (select allowance_id, sum(docs)::int as docs from paid group by allowance_id) p
        where ${a.id} = p.allowance_id and ${a.docs} >= ${a.docsHeld} + ${a.docsSettled} + p.docs returning ${a.id}
      ), document as (
        ${insertDocuments(now)}
      ), entry as (
        insert into ${ledger}
          ${columnList(ledger.accountId, ledger.documentId, ledger.allowanceId, ledger.kind, ledger.units, ledger.createdAt)}
        select p.account_id, d.id, p.allowance_id, 'reserve', 1, ${now}
        from document d join resolved w using (id) join paid p using (account_id, key_id) where not w.is_test
      )
      select r.id, w.filename, w.version as template_version, w.engine, w.id is not null as is_found, d.id is not null as is_held,
        b.id is not null and p.key_id is null as is_over_budget,
        r.account_id in (select account_id from month_missing) as is_month_missing
      from requests r left join resolved w using (id) left join document d using (id)
        left join budget b on b.id = r.key_id left join spent p on p.key_id = r.key_id`;
}

/** Inserts the requests that are `resolved` and paid for or need not be. */
function insertDocuments(now: SQL): SQL {
  const g = generations;
  const columns = columnList(
    ...[g.id, g.accountId, g.templateId, g.templateVersion, g.templateObjectKey, g.templateChecksum, g.format],
    ...[g.filename, g.pdfOptions, g.renderOptions, g.email, g.callbackUrl, g.isKept, g.status, g.dataChecksum],
    ...[g.documentDate, g.acceptedAt, g.apiKeyId, g.isTest, g.trace, g.budgetMonth, g.includes, g.approval],
  );
  return sql`insert into ${generations} ${columns}
    select w.id, w.account_id, w.template_id, w.version, w.object_key, w.checksum, w.format, w.filename, w.pdf_options,
      w.render_options, w.email, w.callback_url, w.is_kept, 'queued', w.data_checksum, w.document_date,
      ${now}, nullif(w.key_id, ''), w.is_test, w.trace, p.month, w.includes, w.approval
    from resolved w left join (paid p join held h on h.id = p.allowance_id)
      on p.account_id = w.account_id and p.key_id = w.key_id and not w.is_test
    where w.is_test or h.id is not null returning ${g.id}`;
}

function toJson({ accountId, request }: AccountRequest): Record<string, unknown> {
  return {
    id: request.id,
    account_id: accountId,
    key_id: request.keyId ?? '',
    is_test: request.isTest ?? false,
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
    trace: request.trace ?? null,
  };
}
