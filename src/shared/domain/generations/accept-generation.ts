import type { Database, Executor } from '../../db/client.ts';
import { guarded } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { keyBudgetExceeded } from '../api-keys/spend-budget.ts';
import { claimIdempotencyKey, type IdempotencyClaim } from '../idempotency/claim-key.ts';
import { openMonth } from '../quota/open-month.ts';
import { missingTemplateError } from '../templates/find-template.ts';
import type { GenerationRequest } from './generation-request.ts';
import { type Reservation, reserveDocuments } from './reserve-documents.ts';

export interface Acceptance {
  readonly id: string;
  readonly filename: string;
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
  if (!row.is_found) throw await missingTemplateError(db, accountId, request.templateId, request.version);
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
): Promise<Reservation> {
  const [row] = await reserveDocuments(db, { accountId, keyId: request.keyId, at }, [request]);
  if (row === undefined) throw new Error('the reservation answered no row');
  return row;
}
