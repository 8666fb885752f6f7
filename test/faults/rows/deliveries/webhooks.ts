import { setTimeout as delay } from 'node:timers/promises';
import { startWebhookReceiver, verified, type WebhookReceiver } from '../../../support/faults/webhook-receiver.ts';
import { letter } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const env = {
  WORKER_QUEUES: 'docx,inspect,mail,webhook,maintenance',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
};

interface Stage {
  readonly owner: Owner;
  readonly receiver: WebhookReceiver;
  /** Waits until all webhooks of the account are delivered, and returns the ids of the requests that arrived. */
  delivered(count: number): Promise<readonly string[]>;
}

/** A service that sends webhooks to a receiver. */
async function withReceiver(h: Harness, work: (stage: Stage) => Promise<void>): Promise<void> {
  const receiver = await startWebhookReceiver();
  try {
    await h.start({ api: { env }, worker: { env } });
    const owner = await h.owner(letter, { credits: 20 });
    const answer = await owner.client.call('POST', '/v1/webhooks', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: receiver.url, events: ['document.succeeded', 'document.failed'] }),
    });
    expectEqual(answer.status, 201, 'the webhook');
    const { secret } = JSON.parse(answer.body.toString()) as { secret: string };
    await work({
      owner,
      receiver,
      async delivered(count) {
        await until('every webhook being delivered', () => areDelivered(h, owner, count));
        return receiver.received.map((webhook) => {
          verified(secret, webhook);
          return String(webhook.headers['webhook-id']);
        });
      },
    });
  } finally {
    await receiver.close();
  }
}

/** Ends the lease of the worker that died with the newest delivery, instead of waiting 90 seconds. */
async function endLease(h: Harness, { account }: Owner): Promise<void> {
  await h.query(
    `update webhook_deliveries set locked_until = now() - interval '1 second'
      where account_id = $1 and status = 'sending'`,
    [account.accountId],
  );
}

async function areDelivered(h: Harness, { account }: Owner, count: number): Promise<boolean> {
  const rows = await h.query(
    'select status, count(*)::int as count from webhook_deliveries where account_id = $1 group by status',
    [account.accountId],
  );
  return rows.length === 1 && rows[0]?.status === 'delivered' && rows[0].count === count;
}

export const webhookRows: readonly Row[] = [
  {
    id: 'H1',
    title: 'kill -9 in every window of a webhook',
    story:
      'Before it is queued, sent, or retried: another worker sends it once. Between answer and record: again with the same id, so the receiver can detect it',
    set: 'extended',
    async run(h) {
      const windows = [
        { window: 'settled-before-publish', times: 1, isLeased: false },
        { window: 'webhook-claimed', times: 1, isLeased: true },
        { window: 'webhook-sent-before-settle', times: 2, isLeased: true },
        { window: 'webhook-settled-before-retry', times: 1, isLeased: false },
      ] as const;
      await withReceiver(h, async ({ owner, receiver, delivered }) => {
        let [count, before] = [0, 0];
        for (const { window, times, isLeased } of windows) {
          await h.startWorker({ env });
          const answer = await h.killIn(window, () => owner.client.generate(owner));
          expectEqual(answer.status, 200, `the answer when a worker dies at ${window}`);
          if (isLeased) await endLease(h, owner);
          const ids = (await delivered(++count)).slice(before);
          expectEqual([ids.length, new Set(ids).size], [times, 1], `requests and their ids, ${window}`);
          before = receiver.received.length;
        }
      });
    },
  },
  {
    id: 'H5',
    title: 'Redis loses everything while webhooks wait for their retry',
    story: 'The sweep finds them when they are due; each arrives, none again after a success',
    async run(h) {
      await withReceiver(h, async ({ owner, receiver, delivered }) => {
        const { accountId } = owner.account;
        receiver.pause();
        for (let n = 0; n < 5; n++) await owner.client.generate(owner);
        await until('five failed attempts', async () => {
          const rows = await h.query(
            "select 1 from webhook_deliveries where account_id = $1 and status = 'pending' and attempts > 0",
            [accountId],
          );
          return rows.length === 5;
        });
        await h.backing.redis.loseEverything();
        receiver.resume();
        await h.query('update webhook_deliveries set next_attempt_at = now() where account_id = $1', [accountId]);
        const ids = await delivered(5);
        expectEqual([ids.length, new Set(ids).size], [5, 5], 'requests and their ids');
      });
    },
  },
  {
    id: 'H6',
    title: 'PostgreSQL down between the answer to a webhook and its record',
    story: 'Recorded when it is back within half a minute; the webhook is not sent again',
    async run(h) {
      await withReceiver(h, async ({ owner, delivered }) => {
        const point = h.arm('webhook-sent-before-settle', 'hang');
        await owner.client.generate(owner);
        await point.reached();
        await h.backing.postgres.proxy.refuse();
        point.release();
        await delay(3_000);
        await h.backing.postgres.proxy.heal();
        expectEqual((await delivered(1)).length, 1, 'requests');
      });
    },
  },
];
