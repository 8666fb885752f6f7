import { eraseDocuments } from './erase-documents.ts';
import { eraseRecipient, type RecipientErasure } from './erase-recipient.ts';
import { resumeErasures } from './resume-erasures.ts';
import { type RedisLog, rewriteRedisLog } from './rewrite-redis-log.ts';
import type { Stores } from './stores.ts';

interface AfterErasure {
  /** Documents whose erasure was interrupted before, and is complete now. */
  readonly resumed: number;
  readonly redisLog: RedisLog;
}

/** Completes interrupted erasures, and erases a document. */
export async function eraseDocument(
  stores: Stores,
  documentId: string,
): Promise<AfterErasure & { readonly documentId: string; readonly documents: number }> {
  const resumed = await resumeErasures(stores);
  const documents = await eraseDocuments(stores, [documentId]);
  return { documentId, documents, resumed, redisLog: await rewriteRedisLog(stores.redis) };
}

/** Completes interrupted erasures, and erases an e-mail address in one account or in all. */
export async function eraseAddress(
  stores: Stores,
  address: string,
  accountId: string | undefined,
): Promise<AfterErasure & RecipientErasure> {
  const resumed = await resumeErasures(stores);
  const erased = await eraseRecipient(stores, address, accountId);
  return { ...erased, resumed, redisLog: await rewriteRedisLog(stores.redis) };
}
