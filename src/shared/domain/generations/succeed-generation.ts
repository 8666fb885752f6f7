import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { EndedAttempt, FinishedDocument } from './ended-attempt.ts';
import { settleDocuments } from './settle-documents.ts';

/**
 * Finishes the row, settles its reservation and writes its e-mail and its events into the outbox, in one statement. True
 * also when this very attempt did so before (a commit whose answer was lost). False when the attempt was fenced: nothing
 * is changed then, and nothing may be told to anyone.
 */
export async function succeedGeneration(
  db: Executor,
  attempt: EndedAttempt,
  document: FinishedDocument,
): Promise<boolean> {
  const [id] = await settleDocuments(db, [{ attempt, document }]);
  return id !== undefined || (await hasSucceeded(db, attempt));
}

// A statement of its own: the one above, when it waited for its twin, does not see what that has committed.
async function hasSucceeded(
  db: Executor,
  attempt: { readonly id: string; readonly attemptToken: string },
): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from generations
      where id = ${attempt.id} and status = 'succeeded' and attempt_token = ${attempt.attemptToken}`,
  );
  return rows.length === 1;
}
