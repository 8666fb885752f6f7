import { expect, it } from 'vitest';
import { claimWebhookDelivery } from '../../../src/shared/domain/webhooks/claim-webhook-delivery.ts';
import { removeWebhook, rotateSecret, updateWebhook } from '../../../src/shared/domain/webhooks/manage-webhooks.ts';
import { createSecretBox, newSigningSecret } from '../../../src/shared/domain/webhooks/secret-box.ts';
import { redeliver } from '../../../src/shared/domain/webhooks/webhook-deliveries.ts';
import { recoverWebhooks } from '../../../src/worker/maintenance/recover-webhooks.ts';
import { maxWebhookAttempts, webhookPausesMs } from '../../../src/worker/retry-policy.ts';
import { newAccount, together } from '../../support/domain/accounts.ts';
import {
  deliveriesOf,
  makeDocument,
  makeDue,
  newEndpoint,
  newWebhookWorker,
  runWebhooks,
  useReceiver,
} from '../../support/domain/webhooks.ts';
import { holdRows } from '../../support/faults/held-rows.ts';
import { type Answer, type ReceivedWebhook, verified } from '../../support/faults/webhook-receiver.ts';
import { useOwnDatabase } from '../../support/services/database.ts';

const { db, pool, url } = await useOwnDatabase();

async function newScene(answer?: Answer, timeoutMs?: number) {
  const receiver = await useReceiver(answer === undefined ? {} : { answer });
  const deps = await newWebhookWorker(db, url, timeoutMs === undefined ? {} : { timeoutMs });
  const account = await newAccount(db, { docs: 1_000 });
  const endpoint = await newEndpoint(db, account.accountId, `${receiver.url}/hook?x=1`, ['document.succeeded']);
  const { accountId } = account;
  return {
    receiver,
    deps,
    account,
    accountId,
    endpoint,
    deliveries: () => deliveriesOf(pool, accountId),
    /** Produces a document and sends its event. */
    async send(jobs = 1): Promise<string> {
      const id = await makeDocument(db, account);
      await runWebhooks(deps, accountId, jobs);
      return id;
    },
    /** Attempts failed deliveries again, as if their pauses were over. */
    async retry(): Promise<void> {
      await makeDue(pool, accountId);
      await runWebhooks(deps, accountId);
    },
    /** The webhook that arrived at this position, the first one by default. */
    arrived(index = 0): ReceivedWebhook {
      const webhook = receiver.received[index];
      if (webhook === undefined) throw new Error(`only ${receiver.received.length} webhooks arrived`);
      return webhook;
    },
  };
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(code, headers).end('the answer');

const endpointRow = async (id: string) =>
  (
    await pool.query<{ status: string; disabled_reason: string | null; failing_since: Date | null }>(
      'select status, disabled_reason, failing_since from webhook_endpoints where id = $1',
      [id],
    )
  ).rows[0];

it('a finished document sends one event, signed and small', async () => {
  const { receiver, account, endpoint, deliveries, send, arrived } = await newScene();
  const documentId = await send(8);
  expect(await deliveries()).toEqual(['delivered 1 204']);
  expect(receiver.received).toHaveLength(1);
  const webhook = arrived();
  expect([webhook.method, webhook.path]).toEqual(['POST', '/hook?x=1']);
  expect(webhook.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Docmill-Webhooks/1' });
  expect(webhook.headers['webhook-id']).toMatch(/^evt_\w{26}$/);
  expect(verified(endpoint.secret, webhook)).toEqual({
    type: 'document.succeeded',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
    data: {
      id: documentId,
      status: 'succeeded',
      templateId: account.templateId,
      templateVersion: 1,
      format: 'docx',
      size: 2_048,
      createdAt: expect.stringMatching(/Z$/),
      finishedAt: expect.stringMatching(/Z$/),
    },
  });
  expect(() => verified(newSigningSecret(), webhook)).toThrow(/No matching signature/);
  expect(() => verified(endpoint.secret, { ...webhook, body: `${webhook.body} ` })).toThrow();
});

it.each<[string, Answer, string]>([
  ['an error', status(500), 'pending 1 500 answered 500'],
  [
    'a redirect',
    status(302, { Location: 'http://127.0.0.1:1/' }),
    'pending 1 302 answered 302; redirects are not followed',
  ],
  ['a refusal', status(403), 'pending 1 403 answered 403'],
  ['a closed connection', (_request, response) => void response.destroy(), 'pending 1 the connection was reset'],
  ['no response in time', () => undefined, 'pending 1 no response within 3000 ms'],
  [
    'headers too large',
    (_request, response) => void response.writeHead(200, { x: 'a'.repeat(20_000) }).end(),
    'pending 1 the response headers are too large',
  ],
  [
    'another protocol',
    (_request, response) => void response.socket?.end('SSH-2.0-OpenSSH_9\r\n'),
    'pending 1 the response is not HTTP',
  ],
  [
    'a switch of protocols',
    (_request, response) => void response.socket?.end('HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    'pending 1 the connection was closed without a response',
  ],
])('%s is retried with the same id', async (_name, answer, outcome) => {
  let isWell = false;
  const scene = await newScene(
    (request, response) => (isWell ? void response.writeHead(200).end('ok') : answer(request, response)),
    outcome.includes('within 3000 ms') ? 3_000 : undefined,
  );
  await scene.send();
  expect(await scene.deliveries()).toEqual([outcome]);
  expect((await endpointRow(scene.endpoint.id))?.failing_since).toBeInstanceOf(Date);
  await runWebhooks(scene.deps, scene.accountId);
  expect(scene.receiver.received).toHaveLength(1);
  isWell = true;
  await scene.retry();
  expect(await scene.deliveries()).toEqual(['delivered 2 200']);
  expect((await endpointRow(scene.endpoint.id))?.failing_since).toBeNull();
  const ids = scene.receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([ids[0], ids[0]]);
  for (const webhook of scene.receiver.received) verified(scene.endpoint.secret, webhook);
});

const databaseMs = async (): Promise<number> =>
  (await pool.query<{ ms: number }>('select extract(epoch from now())::float * 1000 as ms')).rows[0]?.ms ?? 0;

/** The longest and the shortest possible pause, which began after the attempt began and before now. */
interface Pause {
  readonly mostMs: number;
  readonly leastMs: number;
}

async function pausesSince(begunAtMs: number, accountId: string): Promise<Pause[]> {
  const { rows } = await pool.query<Pause>(
    `select extract(epoch from next_attempt_at)::float * 1000 - $2 as "mostMs",
        extract(epoch from next_attempt_at - now())::float * 1000 as "leastMs"
      from webhook_deliveries where account_id = $1 and status = 'pending'`,
    [accountId, begunAtMs],
  );
  return rows;
}

it('retries take almost a day, then the delivery fails and can be sent again on request', async () => {
  const { receiver, deps, account, accountId, endpoint, deliveries } = await newScene(status(503));
  await makeDocument(db, account);
  const pauses: Pause[] = [];
  for (let attempt = 1; attempt <= maxWebhookAttempts + 1; attempt++) {
    const begunAtMs = await databaseMs();
    await runWebhooks(deps, accountId);
    pauses.push(...(await pausesSince(begunAtMs, accountId)));
    await makeDue(pool, accountId);
  }
  expect(await deliveries()).toEqual(['failed 9 503 answered 503']);
  expect(receiver.received).toHaveLength(9);
  expect(pauses).toHaveLength(8);
  for (const [index, { mostMs, leastMs }] of pauses.entries()) {
    const planned = webhookPausesMs[index] ?? 0;
    expect(mostMs).toBeGreaterThanOrEqual(planned * 0.9);
    expect(leastMs).toBeLessThanOrEqual(planned * 1.1);
  }
  expect(webhookPausesMs.reduce((sum, pause) => sum + pause) / 3_600_000).toBeCloseTo(23.6, 1);
  const { rows } = await pool.query<{ id: string }>('select id from webhook_deliveries where account_id = $1', [
    accountId,
  ]);
  await redeliver(db, accountId, endpoint.id, rows[0]?.id ?? '');
  await expect(redeliver(db, accountId, endpoint.id, rows[0]?.id ?? '')).rejects.toThrow(/in progress/);
  await runWebhooks(deps, accountId);
  expect(await deliveries()).toEqual(['pending 1 503 answered 503']);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

it('Retry-After is respected up to an hour', async () => {
  const { accountId, send } = await newScene(status(429, { 'Retry-After': '86400' }));
  const begunAtMs = await databaseMs();
  await send();
  const [pause] = await pausesSince(begunAtMs, accountId);
  expect(pause?.mostMs).toBeGreaterThanOrEqual(3_600_000);
  expect(pause?.leastMs).toBeLessThanOrEqual(3_600_000);
});

it('410 ends the delivery and disables the endpoint, which gets no events until it is enabled', async () => {
  const { receiver, account, accountId, endpoint, deliveries, send } = await newScene(status(410));
  await send();
  expect(await deliveries()).toEqual(['failed 1 410 answered 410 Gone']);
  expect(await endpointRow(endpoint.id)).toMatchObject({ status: 'disabled', disabled_reason: 'It answered 410 Gone' });
  await makeDocument(db, account);
  expect(await deliveries()).toHaveLength(1);
  await updateWebhook(db, accountId, endpoint.id, { status: 'enabled' });
  await send();
  expect(receiver.received).toHaveLength(2);
});

it('an endpoint that fails for three days is disabled with a reason, and its waiting deliveries end unsent', async () => {
  const { deps, receiver, account, accountId, endpoint, deliveries, retry } = await newScene(status(500));
  const failingFor = (hours: number) =>
    pool.query(`update webhook_endpoints set failing_since = now() - make_interval(hours => $2) where id = $1`, [
      endpoint.id,
      hours,
    ]);
  await together(2, () => makeDocument(db, account));
  await runWebhooks(deps, accountId);
  await failingFor(71);
  await retry();
  expect(await endpointRow(endpoint.id)).toMatchObject({ status: 'enabled' });
  await failingFor(73);
  const before = receiver.received.length;
  await retry();
  expect(await endpointRow(endpoint.id)).toMatchObject({
    status: 'disabled',
    disabled_reason: 'Every request failed for 3 days',
  });
  expect(receiver.received.length).toBe(before + 1);
  expect((await deliveries()).toSorted()).toEqual([
    'failed 3 not sent: the webhook is disabled',
    'pending 3 500 answered 500',
  ]);
});

it('16 KB of a huge or endless response are read, 1,024 characters are kept, and its status counts', async () => {
  const { accountId, deliveries, send } = await newScene((_request, response) => {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'é\0'))) if (response.destroyed) return;
      response.once('drain', write);
    };
    write();
  });
  await send();
  expect(await deliveries()).toEqual(['delivered 1 200']);
  const { rows } = await pool.query<{ response_body: string }>(
    'select response_body from webhook_deliveries where account_id = $1',
    [accountId],
  );
  expect(rows[0]?.response_body).toHaveLength(1_024);
  expect(rows[0]?.response_body).toMatch(/^(é\uFFFD)+$/);
});

it('a response with a success status and an endless body counts as delivered, within seconds', async () => {
  const { deliveries, send } = await newScene((_request, response) => {
    response.writeHead(202, { 'Content-Length': '100' });
    response.write('half');
  });
  await send();
  expect(await deliveries()).toEqual(['delivered 1 202']);
});

it('both secrets sign for a day after a rotation, then only the new one', async () => {
  const { accountId, endpoint, send, arrived } = await newScene();
  const secret = newSigningSecret();
  await rotateSecret(db, accountId, endpoint.id, secret);
  await send();
  const both = arrived();
  expect(both.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  verified(secret, both);
  verified(endpoint.secret, both);
  await pool.query(
    `update webhook_endpoints set previous_secret_until = previous_secret_until - interval '24 hours 1 second' where id = $1`,
    [endpoint.id],
  );
  await send();
  verified(secret, arrived(1));
  expect(() => verified(endpoint.secret, arrived(1))).toThrow();
});

it('older secrets still sign after further rotations, four in all', async () => {
  const { accountId, endpoint, send, arrived } = await newScene();
  const secrets = [endpoint.secret, ...Array.from({ length: 5 }, newSigningSecret)];
  for (const secret of secrets.slice(1, 3)) await rotateSecret(db, accountId, endpoint.id, secret);
  await send();
  for (const secret of secrets.slice(3)) await rotateSecret(db, accountId, endpoint.id, secret);
  await send();
  for (const secret of secrets.slice(0, 3)) verified(secret, arrived(0));
  for (const secret of secrets.slice(1)) verified(secret, arrived(1));
  expect(() => verified(endpoint.secret, arrived(1))).toThrow();
});

it('a webhook is deleted with all its deliveries, in chunks, and gets no events meanwhile', async () => {
  const { account, accountId, endpoint, deliveries } = await newScene();
  await together(7, () => makeDocument(db, account));
  const other = await newEndpoint(db, accountId, 'https://example.com/other', ['document.succeeded']);
  await makeDocument(db, account);
  const held = await holdRows(pool, 'select 1 from webhook_deliveries where endpoint_id = $1', [endpoint.id]);
  const removed = removeWebhook(db, accountId, endpoint.id, { limit: 3 });
  await held.waiters();
  await makeDocument(db, account);
  await held.release();
  await removed;
  expect(await endpointRow(endpoint.id)).toBeUndefined();
  expect(await deliveries()).toEqual(['pending 0', 'pending 0']);
  await expect(removeWebhook(db, accountId, endpoint.id)).rejects.toMatchObject({ code: 'not_found' });
  await removeWebhook(db, accountId, other.id);
  expect(await deliveries()).toEqual([]);
});

it('encrypted secrets sign, and a worker without the encryption key sends and loses nothing', async () => {
  const { deps, receiver, accountId, endpoint, deliveries, send, arrived } = await newScene();
  const key = Buffer.alloc(32, 7).toString('base64');
  const sealed = createSecretBox([key]).seal(endpoint.secret, endpoint.id);
  expect(sealed).not.toContain(endpoint.secret.slice(6, 20));
  await pool.query('update webhook_endpoints set secret = $1 where id = $2', [sealed, endpoint.id]);
  await send();
  expect(receiver.received).toEqual([]);
  expect(await deliveries()).toEqual(['pending 1 not sent: its signing secret cannot be decrypted']);
  await makeDue(pool, accountId);
  await runWebhooks({ ...deps, config: { ...deps.config, WEBHOOK_SECRET_KEY: [key] } }, accountId);
  verified(endpoint.secret, arrived());
});

it('an event whose worker died between sending and recording is sent again with the same id', async () => {
  const { deps, receiver, account, accountId, deliveries } = await newScene();
  await makeDocument(db, account);
  const dead = new Error('the worker died');
  const sender = deps.webhooks;
  const dying = {
    ...deps,
    webhooks: {
      async send(...request: Parameters<NonNullable<typeof sender>['send']>) {
        await sender?.send(...request);
        throw dead;
      },
    },
  };
  await expect(runWebhooks(dying, accountId)).rejects.toBe(dead);
  expect(await deliveries()).toEqual(['sending 1']);
  await runWebhooks(deps, accountId);
  expect(receiver.received).toHaveLength(1);
  await makeDue(pool, accountId);
  await recoverWebhooks(deps);
  expect(await deps.queues.has('webhook', `${accountId}.due-0`)).toBe(true);
  await runWebhooks(deps, accountId);
  expect(await deliveries()).toEqual(['delivered 2 204']);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(receiver.received).toHaveLength(2);
});

it('a fenced attempt records nothing', async () => {
  const scene = await newScene(async (_request, response) => {
    if (scene.receiver.received.length === 1) {
      await makeDue(pool, scene.accountId);
      await claimWebhookDelivery(db, scene.accountId, { leaseMs: 60_000, perTarget: 4, perAccount: 8 });
    }
    response.writeHead(204).end();
  });
  await scene.send();
  expect(await scene.deliveries()).toEqual(['sending 2']);
});
