import { randomBytes } from 'node:crypto';
import type { Database } from '../../../src/shared/db/client.ts';
import { createAccount } from '../../../src/shared/domain/accounts/create-account.ts';
import { createKey } from '../../../src/shared/domain/api-keys/create-key.ts';
import { grantCredits } from '../../../src/shared/domain/quota/grant-credits.ts';
import { setSubscription } from '../../../src/shared/domain/quota/set-subscription.ts';

export interface TestAccountKey {
  readonly accountId: string;
  readonly keyId: string;
  readonly apiKey: string;
  /** Part of the data of every document of the account; it must appear nowhere else. */
  readonly canary: string;
}

export interface AccountPlan {
  readonly credits?: number;
  readonly subscription?: number;
  readonly templates?: number;
}

/** A new account with credits, a subscription or both. */
export async function openAccount(db: Database, plan: AccountPlan = {}): Promise<TestAccountKey> {
  const { credits = plan.subscription === undefined ? 1_000 : 0, subscription, templates = 100 } = plan;
  const { accountId } = await createAccount(db, 'fault row');
  if (subscription !== undefined) await setSubscription(db, { accountId, docs: subscription, templates: 0 });
  await grantCredits(db, { accountId, docs: credits, templates });
  const { apiKey, keyId } = await createKey(db, { accountId });
  return { accountId, keyId, apiKey, canary: `canary${randomBytes(12).toString('hex')}` };
}
