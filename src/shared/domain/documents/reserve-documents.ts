import { type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { columnList, isAnyOf, isOneOf, names } from '../../db/column-names.ts';
import { fixedStatement } from '../../db/fixed-statement.ts';
import { bool, int4, nullable, type RowOf, rowOf, text } from '../../db/row.ts';
import { generations } from '../../db/schema/documents.ts';
import { allowances, ledger, subscriptions } from '../../db/schema/quota.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { nowOr, query } from '../../db/statement.ts';
import type { PdfOptions, RequestedRenderOptions } from '../../output-options.ts';
import type { RequestTrace } from '../../request-trace.ts';
import { spendBudget } from '../api-keys/budget.ts';
import type { EmailLimits } from '../deliveries/email-limits.ts';
import { resolvedIncludes } from '../templates/resolve-includes.ts';
import { documentDate } from './document-date.ts';
import type { EmailRequest, OutputFormat } from './document-record.ts';

export interface NewDocument {
  readonly id: string;
  readonly templateId: string;
  /** The version to use; the current one when undefined. */
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

/** Fields that the documents of one statement share. */
export interface ReservationOwner {
  readonly accountId: string;
  readonly keyId: string | undefined;
  /** Nothing is reserved or charged, regardless of the quota. */
  readonly isTest?: boolean | undefined;
  readonly at?: Date | undefined;
}

const t = aliased(templates, 't');
const v = aliased(templateVersions, 'v');
const s = aliased(subscriptions, 's');
const a = aliased(allowances, 'a');
const allowance = names(allowances);

/**
 * Reserves a unit of quota for each document and writes their rows, all or none, in one statement. All units come from
 * the first allowance with units left. If it does not have enough, nothing is reserved and each request must be tried
 * alone.
 */
export function reserveDocuments(
  db: Executor,
  { accountId, keyId, isTest = false, at }: ReservationOwner,
  requests: readonly NewDocument[],
): Promise<readonly Reservation[]> {
  const values = {
    requests: JSON.stringify(requests.map(toJson)),
    templateIds: [...new Set(requests.map(({ templateId }) => templateId))],
    accountId,
    keyId: keyId ?? null,
    docs: requests.length,
  };
  if (isTest) return query(db, reservationRow, acceptTests(values));
  const statement = at === undefined ? reserveNow(values) : reserveAt({ ...values, at: at.toISOString() });
  return query(db, reservationRow, statement);
}

interface ReservationValues extends Record<string, unknown> {
  readonly requests: string;
  readonly templateIds: readonly string[];
  readonly accountId: string;
  readonly keyId: string | null;
  readonly docs: number;
}

const reserveNow = fixedStatement<ReservationValues>((values) => reservation(values, nowOr()));
const acceptTests = fixedStatement<ReservationValues>((values) => acceptance(values, nowOr()));
const reserveAt = fixedStatement<ReservationValues & { readonly at: string }>((values) =>
  reservation(values, sql`${values.at}::timestamptz`),
);

type Parameters = { readonly [K in keyof ReservationValues]: SQL };

/**
 * The common table expressions `requests` and `resolved`: each request, and each with the version of its template.
 * `resolved` leaves out a request whose template includes others that cannot be resolved.
 */
function resolution({ requests, templateIds, accountId }: Parameters): SQL {
  return sql`requests as (
        select * from json_to_recordset(${requests}::json) as r (id text, template_id text,
          version int, format text, filename text, pdf_options jsonb, render_options jsonb, email jsonb, callback_url text,
          is_kept boolean, data_checksum text, trace jsonb)
      ), found as (
        select r.id, ${t.id} as template_id, ${v.version}, ${v.objectKey} as object_key, ${v.checksum} as checksum,
          ${documentDate(sql`r.render_options`, sql`${v.createdAt}`)} as document_date,
          ${t.engine} as engine, ${v.includes} is not null as has_includes,
          case when ${v.includes} is not null then ${resolvedIncludes(accountId, sql`${v.includes}`)} end as includes,
          coalesce(r.filename, regexp_replace(${t.name}, '[.]docx$', '', 'i') || '.' || r.format) as filename
        from requests r join ${templates} ${t} on ${t.id} = r.template_id
          join ${templateVersions} ${v} on ${v.templateId} = ${t.id} and ${v.version} = coalesce(r.version, ${t.version})
        where ${isAnyOf(t.id, templateIds)} and ${t.accountId} = ${accountId} and ${t.deletedAt} is null
      ), resolved as (select * from found where not has_includes or includes is not null)`;
}

/** Writes the rows of test documents. They have no ledger entry, so settling and releasing them moves no units. */
function acceptance(parameters: Parameters, now: SQL): SQL {
  const { accountId, keyId, docs } = parameters;
  return sql`with ${resolution(parameters)}, held as (select 1 where (select count(*) from resolved) = ${docs}::int),
      document as (
        ${insertDocuments({ accountId, keyId, now, isTest: sql`true`, month: sql`null::date` })}
      )
      select r.id, w.filename, w.version as template_version, w.engine, w.id is not null as is_found, exists (select 1 from document) as is_held,
        false as is_over_budget, false as is_month_missing
      from requests r left join resolved w using (id)`;
}

function reservation(parameters: Parameters, now: SQL): SQL {
  const { accountId, keyId, docs } = parameters;
  const units = sql`${docs}::int`;
  const isPaid = sql`exists (select 1 from source where is_enough)`;
  const month = sql`(select month from spent)`;
  return sql`with ${resolution(parameters)}, month_missing as (
        select 1 from ${subscriptions} ${s} where ${s.accountId} = ${accountId} and exists (select 1 from resolved)
          and not exists (select 1 from ${allowances} ${a} where ${a.accountId} = ${s.accountId}
            and ${isOneOf(a.kind, 'subscription')} and ${a.startsAt} <= ${now} and ${a.endsAt} > ${now})
      ), source as (
        select ${a.id}, ${a.docs} - ${a.docsHeld} - ${a.docsSettled} >= ${units} as is_enough from ${allowances} ${a}
        where ${a.accountId} = ${accountId} and ${a.startsAt} <= ${now} and (${a.endsAt} is null or ${a.endsAt} > ${now})
          and ${a.docs} > ${a.docsHeld} + ${a.docsSettled}
          and (select count(*) from resolved) = ${units} and not exists (select 1 from month_missing)
        order by ${a.kind} desc, ${a.endsAt} nulls last, ${a.id} limit 1 for no key update
      ), ${spendBudget({ keyId, docs, when: isPaid, at: now })},
      held as (
        update ${allowances} ${a} set ${allowance.docsHeld} = ${a.docsHeld} + ${units} from source
        where ${a.id} = source.id and source.is_enough and ${a.docs} >= ${a.docsHeld} + ${a.docsSettled} + ${units}
          and (not exists (select 1 from budget) or exists (select 1 from spent)) returning ${a.id}
      ), document as (
        ${insertDocuments({ accountId, keyId, now, isTest: sql`false`, month })}
      ), entry as (
        insert into ${ledger}
          ${columnList(ledger.accountId, ledger.documentId, ledger.allowanceId, ledger.kind, ledger.units, ledger.createdAt)}
        select ${accountId}, document.id, held.id, 'reserve', 1, ${now} from document, held
      )
      select r.id, w.filename, w.version as template_version, w.engine, w.id is not null as is_found, exists (select 1 from document) as is_held,
        exists (select 1 from budget) and not exists (select 1 from spent) as is_over_budget,
        exists (select 1 from month_missing) as is_month_missing
      from requests r left join resolved w using (id)`;
}

interface NewRows {
  readonly accountId: SQL;
  readonly keyId: SQL;
  readonly now: SQL;
  readonly isTest: SQL;
  /** The month of the key's budget that is charged. */
  readonly month: SQL;
}

/** Inserts the requests that are `resolved`, if `held` has a row. */
function insertDocuments({ accountId, keyId, now, isTest, month }: NewRows): SQL {
  const g = generations;
  const columns = columnList(
    ...[g.id, g.accountId, g.templateId, g.templateVersion, g.templateObjectKey, g.templateChecksum, g.format],
    ...[g.filename, g.pdfOptions, g.renderOptions, g.email, g.callbackUrl, g.isKept, g.status, g.dataChecksum],
    ...[g.documentDate, g.acceptedAt, g.apiKeyId, g.isTest, g.trace, g.budgetMonth, g.includes],
  );
  return sql`insert into ${generations} ${columns}
    select r.id, ${accountId}, w.template_id, w.version, w.object_key, w.checksum, r.format, w.filename, r.pdf_options,
      r.render_options, r.email, r.callback_url, r.is_kept, 'queued', r.data_checksum, w.document_date,
      ${now}, ${keyId}::text, ${isTest}, r.trace, ${month}, w.includes
    from requests r join resolved w using (id), held returning ${g.id}`;
}

function toJson(request: NewDocument): Record<string, unknown> {
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
    trace: request.trace ?? null,
  };
}
