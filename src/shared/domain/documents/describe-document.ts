import { eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

/** What an operator needs to know about a document of any account: ids, state and times, but neither names nor data. */
export async function describeDocument(db: Executor, documentId: string) {
  const [row] = await run(
    db,
    db
      .select({
        documentId: generations.id,
        accountId: generations.accountId,
        templateId: generations.templateId,
        templateVersion: generations.templateVersion,
        batchId: generations.batchId,
        keyId: generations.apiKeyId,
        format: generations.format,
        status: generations.status,
        attempts: generations.attempts,
        error: generations.error,
        acceptedAt: generations.acceptedAt,
        startedAt: generations.startedAt,
        finishedAt: generations.finishedAt,
        refundedAt: generations.refundedAt,
        expiresAt: generations.expiresAt,
        timings: generations.timings,
      })
      .from(generations)
      .where(eq(generations.id, documentId)),
  );
  if (row === undefined)
    throw new AppError('not_found', `There is no document ${documentId}: it never existed, or its retention has ended`);
  return { ...row, error: row.error?.code ?? null };
}
