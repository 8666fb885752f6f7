import type { Database } from '../../db/client.ts';
import { coalesce } from '../../db/coalesce.ts';
import { type Settlement, settleDocuments } from './settle-documents.ts';
import { succeedGeneration } from './succeed-generation.ts';

/** A finished document, and whose it is. */
export interface AccountSettlement extends Settlement {
  readonly accountId: string;
}

export type Succeed = (settlement: AccountSettlement) => Promise<boolean>;

const mostAtOnce = 64;

/**
 * As `succeedGeneration`; what ends of one account while the last is being settled is settled in one statement, as they
 * would wait for each other at the account's allowance anyway.
 */
export function createSettler(db: Database, mostWaitMs: number): Succeed {
  return coalesce<AccountSettlement, boolean>({
    keyOf: ({ accountId }) => accountId,
    one: ({ attempt, document }) => succeedGeneration(db, attempt, document),
    many: async (settlements) => {
      const done = new Set(await settleDocuments(db, settlements));
      return settlements.map(({ attempt }) => done.has(attempt.id) || undefined);
    },
    mostAtOnce,
    mostWaitMs,
  });
}
