import type { Context } from 'hono';
import { ensureCallbacks } from '../../shared/domain/webhooks/ensure-callbacks.ts';
import { newSigningSecret } from '../../shared/domain/webhooks/secret-box.ts';
import type { WebhookRecord } from '../../shared/domain/webhooks/webhook-record.ts';
import type { ApiDeps } from '../context.ts';
import type { ApiEnv } from '../env.ts';
import { pathId } from '../http/path-id.ts';

/** What signs the account's callbacks, made at its first use. */
export function callbacksOf({ db, secrets }: ApiDeps, accountId: string): Promise<WebhookRecord> {
  return ensureCallbacks(db, accountId, (id) => secrets.seal(newSigningSecret(), id));
}

/** The webhook's id in the path; the word `callbacks` stands for what signs the account's callbacks. */
export async function webhookIdOf(c: Context<ApiEnv>, deps: ApiDeps): Promise<string> {
  if (c.req.param('id') !== 'callbacks') return pathId(c);
  return (await callbacksOf(deps, c.get('accountId'))).id;
}
