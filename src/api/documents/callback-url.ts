import { z } from '@hono/zod-openapi';
import type { WebhookRecord } from '../../shared/domain/webhooks/find-webhooks.ts';
import { ensureCallbacks } from '../../shared/domain/webhooks/find-webhooks.ts';
import { newSigningSecret } from '../../shared/domain/webhooks/secret-box.ts';
import type { TargetPolicy } from '../../shared/domain/webhooks/target-policy.ts';
import { invalidField } from '../http/parse-request.ts';
import type { DocumentDeps } from './document-deps.ts';

/** The URL of a webhook, or a `callbackUrl`. */
export const targetUrl = z.string().min(1).max(2_048).openapi({ pattern: '^\\s*[hH][tT][tT][pP][sS]?:' });

/** Returns the normalized URL; throws `invalid_request` when the target policy does not allow it. */
export function parseTargetUrl(targets: TargetPolicy, path: string, text: string): string {
  const problem = targets.problemOf(text);
  if (problem !== undefined) throw invalidField(path, problem);
  return new URL(text).href;
}

/** Parses the `callbackUrl` of a request and creates the account's signing secret if it has none. */
export async function acceptCallbackUrl(
  deps: DocumentDeps,
  accountId: string,
  callbackUrl: string | undefined,
): Promise<string | undefined> {
  if (callbackUrl === undefined) return undefined;
  const url = parseTargetUrl(deps.targets, 'callbackUrl', callbackUrl);
  await ensureCallbackWebhook(deps, accountId);
  return url;
}

/** The webhook that signs the account's callbacks; created on first use. */
export function ensureCallbackWebhook({ db, secrets }: DocumentDeps, accountId: string): Promise<WebhookRecord> {
  return ensureCallbacks(db, accountId, (id) => secrets.seal(newSigningSecret(), id));
}
