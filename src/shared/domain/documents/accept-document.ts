import type { Database, Executor } from '../../db/client.ts';
import { coalesce, type GroupResult, sharedLockWaitMs } from '../../db/coalesce.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { keyBudgetExceeded, neededAndLeft } from '../api-keys/budget.ts';
import { countEmails, type EmailTally, tallyEmails } from '../deliveries/email-limits.ts';
import { openMonth } from '../quota/open-month.ts';
import { missingTemplateError } from '../templates/find-template.ts';
import { findVersionIn } from '../templates/find-versions.ts';
import { resolveIncludes } from '../templates/resolve-includes.ts';
import { isReleasedState, notApproved } from '../templates/review-states.ts';
import { type AccountRequest, type NewDocument, type Reservation, reserveDocuments } from './reserve-documents.ts';

export interface Acceptance {
  readonly id: string;
  readonly filename: string;
  readonly templateVersion: number | null;
  /** The LibreOffice version to which the template is pinned; null for any. */
  readonly engine: string | null;
}

const quotaRenewal = 'It renews with the next quota month, or with more credits.';

export const documentQuotaExceeded = (): AppError =>
  new AppError('quota_exceeded', `The document quota is used up. ${quotaRenewal}`);

/** The error for a batch, whose documents are reserved together or not at all. */
export const batchQuotaExceeded = (needed: number, left: number): AppError =>
  new AppError(
    'quota_exceeded',
    `The document quota does not suffice: ${neededAndLeft(needed, left)}. ${quotaRenewal}`,
  );

/**
 * Reserves one unit of quota, unless the key is a test key, counts the e-mail, and writes the document's row, all or
 * nothing. Throws `not_found` if the template does not exist, `version_not_approved` for a live key, `quota_exceeded` if the account's quota or the key's
 * budget is used up, and `email_limit_exceeded`.
 */
export async function acceptDocument(
  db: Executor,
  accountId: string,
  request: NewDocument,
  at?: Date,
): Promise<Acceptance> {
  const tally = await tallyOf([request]);
  if (tally === undefined) return acceptCounted(db, accountId, request, at);
  return inTransaction(db, async (tx) => {
    await countEmails(tx, accountId, tally);
    return acceptCounted(tx, accountId, request, at);
  });
}

/** Test keys send no e-mail. */
async function tallyOf(requests: readonly NewDocument[]): Promise<EmailTally | undefined> {
  const emails = requests.map(({ email, isTest }) => (isTest === true ? null : email));
  return tallyEmails(requests[0]?.emailLimits, emails);
}

async function acceptCounted(
  db: Executor,
  accountId: string,
  request: NewDocument,
  at: Date | undefined,
): Promise<Acceptance> {
  let row = await reserve(db, accountId, request, at);
  // Tries twice at most: the opened month may end before the next attempt.
  for (let opened = 0; row.is_month_missing && opened < 2; opened++) {
    await openMonth(db, accountId, at);
    row = await reserve(db, accountId, request, at);
  }
  return toAcceptance(row) ?? (await refuse(db, { accountId, request }, row));
}

function toAcceptance(row: Reservation | undefined): Acceptance | undefined {
  if (row?.is_held !== true || row.filename === null) return undefined;
  return { id: row.id, filename: row.filename, templateVersion: row.template_version, engine: row.engine };
}

/** Throws the reason why this request, which was the only one of its account in the statement, was not accepted. */
async function refuse(db: Executor, { accountId, request }: AccountRequest, row: Reservation): Promise<never> {
  if (!row.is_found) throw await unresolvedError(db, accountId, request);
  throw row.is_over_budget ? keyBudgetExceeded() : documentQuotaExceeded();
}

/** Throws the error in the templates that the template includes, or returns the error for a missing template. */
async function unresolvedError(db: Executor, accountId: string, request: NewDocument): Promise<AppError> {
  const { templateId, version, isTest = false } = request;
  const which = isTest ? 'newest' : 'current';
  const found = await findVersionIn(db, { accountId, templateId, version, which });
  if (found === undefined) return await missingTemplateError(db, accountId, templateId, version);
  if (!isTest && !isReleasedState(found.reviewState)) return notApproved(found.version, found.reviewState);
  await resolveIncludes(db, { accountId, references: found.includes, templateId, withDrafts: isTest });
  return new AppError('unavailable', 'The templates have just changed. Try again.', { retryAfterSeconds: 1 });
}

async function reserve(
  db: Executor,
  accountId: string,
  request: NewDocument,
  at: Date | undefined,
): Promise<Reservation> {
  const [row] = await reserveDocuments(db, [{ accountId, request }], { at });
  if (row === undefined) throw new Error('the reservation returned no row');
  return row;
}

export type Accept = (accountId: string, request: NewDocument) => Promise<Acceptance>;

const maxGroup = 64;

/**
 * Like `acceptDocument`, with group commit: requests of all accounts that arrive during a write are written together in
 * the next statement. Those with e-mails, which need a transaction, form groups by account. If the requests of one
 * account cannot be accepted as a whole (little quota left, a new month), or its allowance is locked, they are accepted
 * or rejected apart from the others.
 */
export function createAcceptor(db: Database, maxWaitMs: number, observe?: (requests: number) => void): Accept {
  const isMailed = ({ request }: AccountRequest): boolean => request.email !== null;
  const accept = coalesce<AccountRequest, Acceptance>({
    keyOf: (item) => `${item.accountId}${isMailed(item) ? ' e-mail' : ''}`,
    isApart: isMailed,
    processTogether: (group) => acceptTogether(db, group),
    processApart: (group) => acceptApart(db, group),
    processOne: ({ accountId, request }) => acceptDocument(db, accountId, request),
    maxItems: maxGroup,
    maxWaitMs,
    observe,
  });
  return (accountId, request) => accept({ accountId, request });
}

async function acceptTogether(
  db: Database,
  group: readonly AccountRequest[],
): Promise<readonly GroupResult<Acceptance>[]> {
  const rows = await reserveDocuments(db, group, { maxLockWaitMs: sharedLockWaitMs });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const counts = new Map<string, number>();
  for (const { accountId } of group) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return group.map((item) => {
    const row = byId.get(item.request.id);
    const acceptance = toAcceptance(row);
    if (acceptance !== undefined || row === undefined || row.is_month_missing) return acceptance;
    return counts.get(item.accountId) === 1 ? refuse(db, item, row) : undefined;
  });
}

/** Accepts requests of one account. */
async function acceptApart(
  db: Database,
  group: readonly AccountRequest[],
): Promise<readonly GroupResult<Acceptance>[]> {
  const tally = await tallyOf(group.map(({ request }) => request));
  const rows =
    tally === undefined
      ? await reserveDocuments(db, group)
      : await inTransaction(db, async (tx) => {
          await countEmails(tx, group[0]?.accountId ?? '', tally);
          const reserved = await reserveDocuments(tx, group);
          // Rolls back the counters; each request is then tried alone.
          if (!reserved.every((row) => row.is_held)) throw new Error('the requests could not be accepted together');
          return reserved;
        });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return group.map(({ request }) => toAcceptance(byId.get(request.id)));
}
