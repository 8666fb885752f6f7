import type { Database } from '../../db/client.ts';
import { guarded } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { claimIdempotencyKey, type IdempotencyClaim, rememberResponse } from '../idempotency/claim-key.ts';
import { type CreateTemplateInput, createTemplate } from './create-template.ts';
import type { TemplateRecord } from './template-record.ts';

/** As `createTemplate`, bound to an idempotency key in the same transaction: a repetition answers the first one's template. */
export async function createTemplateOnce(
  db: Database,
  input: CreateTemplateInput,
  key: Omit<IdempotencyClaim, 'resourceId'>,
): Promise<{ readonly template: TemplateRecord; readonly isReplay: boolean }> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      const holder = await claimIdempotencyKey(tx, input.accountId, { ...key, resourceId: input.id });
      if (holder.resourceId !== input.id) return { template: revive(holder.response), isReplay: true };
      const template = await createTemplate(tx, input);
      await rememberResponse(tx, input.accountId, key.key, template);
      return { template, isReplay: false };
    }),
  );
}

function revive(response: unknown): TemplateRecord {
  const kept = response as TemplateRecord & { readonly createdAt: string; readonly updatedAt: string };
  return { ...kept, createdAt: new Date(kept.createdAt), updatedAt: new Date(kept.updatedAt) };
}
