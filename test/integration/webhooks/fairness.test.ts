import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startWorkers } from '../../../src/worker/start-workers.ts';
import { newAccount, together } from '../../support/domain/accounts.ts';
import {
  deliveriesOf,
  makeDocument,
  newEndpoint,
  newWebhookWorker,
  useReceiver,
} from '../../support/domain/webhooks.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { useRedis } from '../../support/services/redis.ts';

const { db, pool, url } = await useOwnDatabase();
/** The timeout of an attempt, long enough that an event queued behind it is clearly late. */
const slowMs = 60_000;

/** A real worker of the webhook queue, stopped when the test ends. */
async function runningWorker(concurrency: number, timeoutMs: number) {
  const env = { WORKER_QUEUES: 'webhook', WEBHOOK_CONCURRENCY: String(concurrency) };
  const deps = await newWebhookWorker(db, url, { timeoutMs, env });
  const workers = startWorkers(deps, await useRedis('blocking'), ['webhook']);
  onTestFinished(() => workers.close());
  return deps;
}

/** Deliveries whose first attempt has failed, of which there is none while the slow address has not responded. */
const endedAttempts = async (accountId: string) =>
  (await deliveriesOf(pool, accountId)).filter((line) => !/^(?:delivered 1|pending 0|sending 1$)/.test(line));

it('a slow address and a slow account delay no other', async () => {
  const slow = await useReceiver({ answer: () => undefined });
  const quick = await useReceiver();
  const [loud, quiet] = [await newAccount(db, { docs: 500 }), await newAccount(db, { docs: 500 })];
  await newEndpoint(db, loud.accountId, slow.url, ['document.succeeded']);
  await newEndpoint(db, loud.accountId, quick.url, ['document.succeeded']);
  await newEndpoint(db, quiet.accountId, quick.url, ['document.succeeded']);
  const deps = await runningWorker(12, slowMs);
  const notify = async (account: typeof loud): Promise<void> => {
    const id = await makeDocument(db, account);
    await deps.queues.add('webhook', id, { accountId: account.accountId });
  };
  await together(40, () => notify(loud));
  await notify(quiet);
  const ended = async (accountId: string) =>
    (await deliveriesOf(pool, accountId)).filter((line) => line.startsWith('delivered')).length;
  await expect.poll(() => ended(quiet.accountId), { interval: 10 }).toBe(1);
  await expect.poll(() => ended(loud.accountId), { interval: 10 }).toBe(40);
  // Nothing waited until an attempt at the slow address had ended.
  expect(await endedAttempts(loud.accountId)).toEqual([]);
  await expect.poll(() => slow.maxConcurrent()).toBe(4);
  expect(quick.received).toHaveLength(41);
  // The worker can only stop when no request is pending.
  await slow.close();
});

it('all deliveries of one account are sent, within its limit, from one job each', async () => {
  const receiver = await useReceiver({
    async answer(_request, response) {
      while (receiver.maxConcurrent() < 8) await delay(5);
      await delay(5);
      response.writeHead(204).end();
    },
  });
  const account = await newAccount(db, { docs: 1_000 });
  await together(3, () => newEndpoint(db, account.accountId, receiver.url, ['document.succeeded']));
  const deps = await runningWorker(32, slowMs);
  await together(60, async () => {
    const id = await makeDocument(db, account);
    await deps.queues.add('webhook', id, { accountId: account.accountId });
  });
  await expect.poll(() => receiver.received.length, { interval: 20 }).toBe(180);
  expect(receiver.maxConcurrent()).toBe(8);
  const outcomes = async () =>
    [...new Set((await deliveriesOf(pool, account.accountId)).map((line) => line.slice(0, 11)))].join();
  await expect.poll(outcomes).toBe('delivered 1');
});

it('an event to a fast address does not wait for a slow address', async () => {
  const slow = await useReceiver({ answer: () => undefined });
  const quick = await useReceiver();
  const account = await newAccount(db, { docs: 10 });
  for (const { url: address } of [slow, slow, slow, quick]) {
    await newEndpoint(db, account.accountId, address, ['document.succeeded']);
  }
  const deps = await runningWorker(8, slowMs);
  const id = await makeDocument(db, account);
  await deps.queues.add('webhook', id, { accountId: account.accountId });
  await expect.poll(() => quick.received.length, { interval: 10 }).toBe(1);
  expect(await endedAttempts(account.accountId)).toEqual([]);
  await expect.poll(() => slow.received.length).toBe(3);
  await slow.close();
});
