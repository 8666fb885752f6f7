import type { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import type { Database } from '../../../src/shared/db/client.ts';
import { type EventType, eventTypes } from '../../../src/shared/domain/webhooks/event-outbox.ts';
import { createWebhook } from '../../../src/shared/domain/webhooks/manage-webhooks.ts';
import { newSigningSecret } from '../../../src/shared/domain/webhooks/secret-box.ts';
import { createTargetPolicy } from '../../../src/shared/domain/webhooks/target-policy.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { startRun } from '../../../src/worker/job-run.ts';
import { processWebhook } from '../../../src/worker/processors/webhook.ts';
import { createWebhookSender } from '../../../src/worker/webhooks/webhook-sender.ts';
import { type ReceiverOptions, startWebhookReceiver, type WebhookReceiver } from '../faults/webhook-receiver.ts';
import { silent } from '../services/redis.ts';
import { newWorkerDeps } from '../services/worker-deps.ts';
import { produceOne, type TestAccount } from './accounts.ts';

export const loopbackPolicy = createTargetPolicy({ allowHttp: true, allowPrivate: ['127.0.0.1'] });

/** A worker that may send to this machine. */
export async function newWebhookWorker(
  db: Database,
  databaseUrl: string,
  { timeoutMs = 60_000, env = {} }: { readonly timeoutMs?: number; readonly env?: Record<string, string> } = {},
): Promise<WorkerDeps> {
  const webhooks = createWebhookSender({ policy: loopbackPolicy, timeoutMs, logger: silent });
  return { ...(await newWorkerDeps(db, databaseUrl, env)), webhooks };
}

/** A receiver that is closed after the test. */
export async function useReceiver(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver(options);
  onTestFinished(() => receiver.close());
  return receiver;
}

export interface TestEndpoint {
  readonly id: string;
  readonly secret: string;
}

export async function newEndpoint(
  db: Database,
  accountId: string,
  url: string,
  events: readonly EventType[] = eventTypes,
): Promise<TestEndpoint> {
  const [id, secret] = [newId('whk'), newSigningSecret()];
  await createWebhook(db, accountId, { id, url, description: undefined, events, secret });
  return { id, secret };
}

/** Produces a document and returns its id. */
export function makeDocument(db: Database, account: TestAccount, callbackUrl?: string): Promise<string> {
  return produceOne(db, account, { callbackUrl });
}

/** Runs as many jobs of the account as a worker runs concurrently. */
export async function runWebhooks(deps: WorkerDeps, accountId: string, jobs = 1): Promise<void> {
  await Promise.all(Array.from({ length: jobs }, () => processWebhook(deps, startRun(deps), { accountId })));
}

/** Makes waiting deliveries due now, and ends the leases of deliveries in progress. */
export async function makeDue(pool: Pool, accountId: string): Promise<void> {
  await pool.query(
    `update webhook_deliveries set next_attempt_at = now() - interval '1 second',
      locked_until = case when locked_until is not null then now() - interval '1 second' end where account_id = $1`,
    [accountId],
  );
}

/** Status, attempts and response of each delivery, in order of creation. */
export async function deliveriesOf(pool: Pool, accountId: string): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select concat_ws(' ', status, attempts, response_status, error) as line from webhook_deliveries
      where account_id = $1 order by id`,
    [accountId],
  );
  return rows.map(({ line }) => line);
}
