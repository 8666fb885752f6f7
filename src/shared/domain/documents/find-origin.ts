import { eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { DocumentStatus } from './document-record.ts';

/** The batch of a document and the key of its request; null if there is none or it is unknown. */
export interface DocumentOrigin {
  readonly status: DocumentStatus;
  readonly batchId: string | null;
  readonly keyId: string | null;
}

/** The origin of a document of any account. Throws `not_found`. */
export async function findOrigin(db: Executor, id: string): Promise<DocumentOrigin> {
  const { status, batchId, apiKeyId: keyId } = generations;
  const [origin] = await run(db, db.select({ status, batchId, keyId }).from(generations).where(eq(generations.id, id)));
  if (origin === undefined) throw new AppError('not_found', `There is no document ${id}`);
  return origin;
}
