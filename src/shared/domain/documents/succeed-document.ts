import { and, eq } from 'drizzle-orm';
import type { Database, Executor } from '../../db/client.ts';
import { coalesce, sharedLockWaitMs } from '../../db/coalesce.ts';
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
 * Like `succeedDocument`, with group commit: documents of all accounts that end during a settlement are settled
 * together in the next statement. If an account's allowance is locked, its documents are settled apart from the others.
 */
export function createSettler(db: Database, maxWaitMs: number, observe?: (documents: number) => void): Succeed {
  const settle = async (group: readonly AccountSettlement[], maxLockWaitMs?: number) => {
    const done = new Set(await settleDocuments(db, group, maxLockWaitMs));
    return group.map(({ attempt }) => done.has(attempt.id) || undefined);
  };
  return coalesce<AccountSettlement, boolean>({
    keyOf: ({ accountId }) => accountId,
    processTogether: (group) => settle(group, sharedLockWaitMs),
    processApart: settle,
    processOne: ({ attempt, document }) => succeedDocument(db, attempt, document),
    maxItems: maxGroup,
    maxWaitMs,
    observe,
  });
}
