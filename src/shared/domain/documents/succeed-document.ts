import { and, eq } from 'drizzle-orm';
import type { Database, Executor } from '../../db/client.ts';
import { coalesce } from '../../db/coalesce.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { type EndedAttempt, type FinishedDocument, type Settlement, settleDocuments } from './settle-documents.ts';

/**
 * Finishes the row, settles its reservation and writes its e-mail and events to the outbox, in one statement. Also true
 * if this attempt has already committed and the reply was lost. False if the attempt was fenced: nothing is changed,
 * and the caller must not send a reply.
 */
export async function succeedDocument(
  db: Executor,
  attempt: EndedAttempt,
  document: FinishedDocument,
): Promise<boolean> {
  const [id] = await settleDocuments(db, [{ attempt, document }]);
  return id !== undefined || (await hasSucceeded(db, attempt));
}

// A separate statement, because the one above does not see what a concurrent duplicate has committed.
async function hasSucceeded(db: Executor, { id, attemptToken }: EndedAttempt): Promise<boolean> {
  const rows = await run(
    db,
    db
      .select({ id: generations.id })
      .from(generations)
      .where(
        and(eq(generations.id, id), eq(generations.status, 'succeeded'), eq(generations.attemptToken, attemptToken)),
      ),
  );
  return rows.length === 1;
}

/** A finished document and its account. */
export interface AccountSettlement extends Settlement {
  readonly accountId: string;
}

export type Succeed = (settlement: AccountSettlement) => Promise<boolean>;

const maxGroup = 64;

/**
 * Like `succeedDocument`, with group commit: documents of one account that end during a settlement are settled together
 * in the next statement. Separate statements would wait for the lock on the account's allowance anyway.
 */
export function createSettler(db: Database, maxWaitMs: number): Succeed {
  return coalesce<AccountSettlement, boolean>({
    keyOf: ({ accountId }) => accountId,
    processOne: ({ attempt, document }) => succeedDocument(db, attempt, document),
    processGroup: async (settlements) => {
      const done = new Set(await settleDocuments(db, settlements));
      return settlements.map(({ attempt }) => done.has(attempt.id) || undefined);
    },
    maxItems: maxGroup,
    maxWaitMs,
  });
}
