import { sql } from 'drizzle-orm';
import type { Database, Executor } from '../../db/client.ts';
import { guarded, json, moment, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { keyBudgetExceeded, spendBudget } from '../api-keys/spend-budget.ts';
import { claimIdempotencyKey, type IdempotencyClaim } from '../idempotency/claim-key.ts';
import { openMonth } from '../quota/open-month.ts';
import { whatIsMissing } from '../templates/find-template.ts';
import type { EmailRequest, OutputFormat } from './generation-record.ts';

export interface GenerationRequest {
  readonly id: string;
  readonly templateId: string;
  /** The version to use; the current one when it is not given. */
  readonly version?: number | undefined;
  readonly format: OutputFormat;
  /** Without extension handling: as it will be sent. Null takes the template's name. */
  readonly filename: string | null;
  readonly pdfOptions: Readonly<Record<string, unknown>> | null;
  /** `locale`, `timezone`, `onMissing`: how the template is filled. */
  readonly renderOptions?: Readonly<Record<string, unknown>> | null | undefined;
  readonly email: EmailRequest | null;
  /** Where the end of this document is told, beside the account's endpoints. */
  readonly callbackUrl?: string | undefined;
  /** Keep the result in object storage until it expires, for a replay or a delivery. */
  readonly isKept: boolean;
  readonly dataChecksum: string;
  /** The API key that orders it: its budget is spent, if it has one. */
  readonly keyId?: string | undefined;
}

export interface Acceptance {
  readonly id: string;
  readonly filename: string;
}

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly filename: string | null;
  readonly is_found: boolean;
  readonly is_held: boolean;
  readonly is_over_budget: boolean;
  readonly is_month_missing: boolean;
}

export const documentQuotaExceeded = (): AppError =>
  new AppError(
    'quota_exceeded',
    'The document quota is used up. It renews with the next quota month, or with more credits.',
  );

/**
 * Reserves one unit of quota and writes the document's row, both or neither. Throws `not_found` for the template and
 * `quota_exceeded` when nothing is left of the account's quota or of the key's budget.
 */
export async function acceptGeneration(
  db: Executor,
  accountId: string,
  request: GenerationRequest,
  at?: Date,
): Promise<Acceptance> {
  let row = await reserve(db, accountId, request, at);
  // Twice at most: the month that was opened may end before the second look.
  for (let opened = 0; row.is_month_missing && opened < 2; opened++) {
    await openMonth(db, accountId, at);
    row = await reserve(db, accountId, request, at);
  }
  if (!row.is_found) throw await whatIsMissing(db, accountId, request.templateId, request.version);
  if (row.is_over_budget) throw keyBudgetExceeded();
  if (!row.is_held || row.filename === null) throw documentQuotaExceeded();
  return { id: row.id, filename: row.filename };
}

/**
 * As `acceptGeneration`, bound to an idempotency key in the same transaction: of parallel callers with one key, one is
 * accepted and the others learn whose document to wait for. A refused request leaves no key behind.
 */
export async function acceptOnce(
  db: Database,
  accountId: string,
  request: GenerationRequest,
  key: Omit<IdempotencyClaim, 'resourceId'>,
): Promise<Acceptance & { readonly isReplay: boolean }> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      const holder = await claimIdempotencyKey(tx, accountId, { ...key, resourceId: request.id });
      // failpoint: idempotency-claimed
      if (holder.resourceId !== request.id) return { id: holder.resourceId, filename: '', isReplay: true };
      return { ...(await acceptGeneration(tx, accountId, request)), isReplay: false };
    }),
  );
}

async function reserve(
  db: Executor,
  accountId: string,
  request: GenerationRequest,
  at: Date | undefined,
): Promise<Row> {
  const now = moment(at);
  const extension = `.${request.format}`;
  const [row] = await run<Row>(
    db,
    sql`with wanted as (
        select t.id as template_id, v.version, v.object_key, v.checksum,
          coalesce(${request.filename}, regexp_replace(t.name, '[.]docx$', '', 'i') || ${extension}) as filename
        from templates t join template_versions v on v.template_id = t.id and v.version = coalesce(${request.version ?? null}::int, t.version)
        where t.id = ${request.templateId} and t.account_id = ${accountId} and t.deleted_at is null
      ), month_missing as (
        select 1 from subscriptions s where s.account_id = ${accountId} and exists (select 1 from wanted)
          and not exists (select 1 from allowances a where a.account_id = s.account_id and a.kind = 'subscription'
            and a.starts_at <= ${now} and a.ends_at > ${now})
      ), source as (
        select id from allowances
        where account_id = ${accountId} and starts_at <= ${now} and (ends_at is null or ends_at > ${now})
          and docs > docs_held + docs_settled
          and exists (select 1 from wanted) and not exists (select 1 from month_missing)
        order by kind desc, ends_at nulls last, id limit 1 for no key update
      ), ${spendBudget({ keyId: request.keyId, docs: 1, when: sql`exists (select 1 from source)`, at: now })}, held as (
        update allowances a set docs_held = a.docs_held + 1 from source
        where a.id = source.id and a.docs > a.docs_held + a.docs_settled
          and (not exists (select 1 from budget) or exists (select 1 from spent)) returning a.id
      ), generation as (
        insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum,
          format, filename, pdf_options, render_options, email, callback_url, is_kept, status, data_checksum, accepted_at,
          api_key_id, budget_month)
        select ${request.id}, ${accountId}, w.template_id, w.version, w.object_key, w.checksum, ${request.format},
          w.filename, ${json(request.pdfOptions)}::jsonb, ${json(request.renderOptions)}::jsonb, ${json(request.email)}::jsonb,
          ${request.callbackUrl ?? null}::text, ${request.isKept}::boolean,
          'queued', ${request.dataChecksum}, ${now}, ${request.keyId ?? null}::text, (select month from spent)
        from wanted w, held returning id
      ), entry as (
        insert into ledger (account_id, generation_id, allowance_id, kind, units, created_at)
        select ${accountId}, generation.id, held.id, 'reserve', 1, ${now} from generation, held
      )
      select ${request.id} as id, (select filename from wanted) as filename,
        exists (select 1 from wanted) as is_found, exists (select 1 from generation) as is_held,
        exists (select 1 from budget) and not exists (select 1 from spent) as is_over_budget,
        exists (select 1 from month_missing) as is_month_missing`,
  );
  if (row === undefined) throw new Error('the reservation answered no row');
  return row;
}
