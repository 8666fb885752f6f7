import type { z } from '@hono/zod-openapi';
import { findBatch } from '../../shared/domain/batches/find-batch.ts';
import type { ApiDeps } from '../context.ts';
import { type batchSchema, toBatchProgress } from './batch-schema.ts';

/** The account's batch with its counts, as they are now when `isFresh`; `not_found` for another's. */
export async function answerBatch(
  { db, batchWatch }: ApiDeps,
  accountId: string,
  { id, isFresh }: { readonly id: string; readonly isFresh: boolean },
): Promise<z.infer<typeof batchSchema>> {
  const batch = await findBatch(db, accountId, id);
  const state = await batchWatch.look(batch, isFresh);
  return { ...toBatchProgress({ ...state, batch }), warnings: [...(await batchWatch.warnings(batch))] };
}
