import { startWebhookReceiver, verified, type WebhookReceiver } from '../../../support/faults/webhook-receiver.ts';
import { letter } from '../../client/templates.ts';
import type { FailpointName } from '../../harness/failpoints.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const env = {
  WORKER_QUEUES: 'docx,inspect,mail,webhook,maintenance',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
};

interface Stage {
  readonly owner: Owner;
  readonly receiver: WebhookReceiver;
  readonly secret: string;
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
    await work({ owner, receiver, secret });
  } finally {
    await receiver.close();
  }
}

/** Waits until all deliveries of the account have finished; ends the leases of dead workers instead of waiting 90 seconds. */
async function expectNotified(h: Harness, { account }: Owner, count: number): Promise<void> {
  await until('every webhook being delivered', async () => {
    await h.query(
      `update webhook_deliveries set locked_until = now() - interval '1 second'
        where account_id = $1 and status = 'sending' and locked_until < now() + interval '86 seconds'`,
      [account.accountId],
    );
    const rows = await h.query<{ status: string; count: number }>(
      'select status, count(*)::int as count from webhook_deliveries where account_id = $1 group by status',
      [account.accountId],
    );
    return rows.length === 1 && rows[0]?.status === 'delivered' && rows[0].count === count;
  });
}

const idsOf = ({ receiver, secret }: Stage): string[] =>
  receiver.received.map((webhook) => {
    verified(secret, webhook);
    return String(webhook.headers['webhook-id']);
  });

/** Kills the worker at a failpoint; another takes over: the event arrives the expected number of times with one id. */
async function killIn(h: Harness, window: FailpointName, times: number): Promise<void> {
  await withReceiver(h, async (stage) => {
    const { owner } = stage;
    await h.startWorker({ env });
    const point = h.arm(window, 'kill');
    const { client, templateId } = owner;
    expectEqual((await client.generate({ templateId })).status, 200, 'the answer');
    await point.reached();
    await expectNotified(h, owner, 1);
    const ids = idsOf(stage);
    expectEqual([ids.length, new Set(ids).size], [times, 1], 'requests and their ids');
  });
}

export const webhookRows: readonly Row[] = [
  {
    id: 'H1',
    title: 'kill -9 after the document, before its webhook is queued',
    story: 'The event was written with the settlement: the sweep sends it, once',
    run: (h) => killIn(h, 'settled-before-publish', 1),
  },
  {
    id: 'H2',
    title: 'kill -9 before the request of a webhook',
    story: 'Another worker takes over when the lease ends: it is sent once',
    run: (h) => killIn(h, 'webhook-claimed', 1),
  },
  {
    id: 'H3',
    title: 'kill -9 between the answer to a webhook and its record',
    story: 'It is sent again with the same id, so the receiver can detect it',
    isQuick: true,
    run: (h) => killIn(h, 'webhook-sent-before-settle', 2),
  },
  {
    id: 'H4',
    title: 'kill -9 after the record of a webhook',
    story: 'It is not sent again',
    run: (h) => killIn(h, 'webhook-settled-before-retry', 1),
  },
  {
    id: 'H5',
    title: 'Redis loses everything while webhooks wait for their retry',
    story: 'The sweep finds them when they are due; each arrives, none again after a success',
    async run(h) {
      await withReceiver(h, async (stage) => {
        const { owner, receiver } = stage;
        receiver.pause();
        for (let n = 0; n < 5; n++) await owner.client.generate({ templateId: owner.templateId });
        await until('five failed attempts', async () => {
          const [row] = await h.query<{ count: number }>(
            `select count(*)::int as count from webhook_deliveries
              where account_id = $1 and status = 'pending' and attempts > 0`,
            [owner.account.accountId],
          );
          return row?.count === 5;
        });
        await h.backing.redis.loseEverything();
        receiver.resume();
        await h.query('update webhook_deliveries set next_attempt_at = now() where account_id = $1', [
          owner.account.accountId,
        ]);
        await expectNotified(h, owner, 5);
        const ids = idsOf(stage);
        expectEqual([ids.length, new Set(ids).size], [5, 5], 'requests and their ids');
      });
    },
  },
  {
    id: 'H6',
    title: 'PostgreSQL down between the answer to a webhook and its record',
    story: 'Recorded when it is back within half a minute; the webhook is not sent again',
    async run(h) {
      await withReceiver(h, async (stage) => {
        const { owner } = stage;
        const point = h.arm('webhook-sent-before-settle', 'hang');
        await owner.client.generate({ templateId: owner.templateId });
        await point.reached();
        await h.backing.postgres.proxy.refuse();
        point.release();
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        await h.backing.postgres.proxy.heal();
        await expectNotified(h, owner, 1);
        expect(idsOf(stage).length === 1, 'the webhook was sent again');
      });
    },
  },
];
