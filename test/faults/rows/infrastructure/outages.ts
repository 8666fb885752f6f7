import { setTimeout as delay } from 'node:timers/promises';
import { acceptedMails } from '../../checks/mail.ts';
import { letter } from '../../client/templates.ts';
import { tally, together } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

export const redisOutageRows: readonly Row[] = [
  {
    id: 'R1',
    title: 'Redis stopped before the request',
    story: '503 with Retry-After, the credit is refunded at once; 200 again when Redis is back',
    set: 'usual',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 5 });
      await h.backing.redis.proxy.refuse();
      expectEqual(tally(await together(5, () => owner.client.generate(owner))), { 503: 5 }, 'the answers');
      expectEqual((await owner.client.quotas()).docs, 5, 'the credits left');
      await until('a red readiness', async () => (await h.api.readiness()).status === 503);
      await h.backing.redis.proxy.heal();
      await until('a green readiness', async () => (await h.api.readiness()).status === 200);
      expectEqual((await owner.client.generate(owner)).status, 200, 'the answer with Redis');
      await h.expectCharged(owner, { failed: 5, succeeded: 1 }, 4);
    },
  },
  {
    id: 'R3',
    title: 'Redis stopped while jobs run',
    story: 'Killed and down for 6 s with four documents in progress: each is delivered once, each mail arrives once',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 10 });
      const point = h.arm('after-claim', 'hang', 4);
      const pending = together(4, () => client.generate({ templateId, email: { to: ['ada@sink.test'] } }));
      await point.reached(4);
      h.backing.redis.signal('SIGKILL');
      await h.backing.redis.proxy.refuse();
      await delay(1_000);
      point.release();
      await delay(5_000);
      await h.backing.redis.proxy.heal();
      const answers = await pending;
      const { 200: delivered = 0, 503: refused = 0 } = tally(answers);
      expectEqual(delivered + refused, 4, 'answers 200 or 503');
      await h.settled();
      expectEqual((await h.statuses(account.accountId)).succeeded ?? 0, delivered, 'documents made');
      const ids = answers.map(({ headers }) => headers.get('Email-Delivery-Id')).filter((id) => id !== null);
      const sent = acceptedMails(h).filter(({ deliveryId }) => ids.includes(deliveryId));
      expectEqual(sent.length, delivered, 'the mails');
    },
  },
  {
    id: 'R4',
    title: 'Redis killed with nothing on its disk',
    story:
      'All jobs and data are lost while ten documents wait: all fail and are refunded; the same requests then succeed once each',
    async run(h) {
      const { worker } = await h.start();
      const owner = await h.owner(letter, { credits: 20 });
      const { client, account } = owner;
      await worker.stop();
      const request = (index: number) => client.generate({ ...owner, key: `r4-${index}` });
      const pending = together(10, request);
      await until('ten documents waiting', async () => (await h.statuses(account.accountId)).queued === 10);
      await h.backing.redis.loseEverything();
      await h.startWorker();
      expectEqual(tally(await pending), { 503: 10 }, 'the answers');
      expectEqual((await client.quotas()).docs, 20, 'the credits left');
      expectEqual(tally(await together(10, request)), { 200: 10 }, 'the same requests again');
      expectEqual((await client.quotas()).docs, 10, 'the credits left at last');
    },
  },
  {
    id: 'R5',
    title: 'FLUSHALL mid-flight',
    story:
      'An attempt that has its data completes once; a document that lost its data is refunded; the sweeps continue',
    set: 'extended',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 5 });
      const flushIn = async (
        window: 'before-claim' | 'after-claim' | 'after-render',
        data: Readonly<Record<string, unknown>> = {},
      ): Promise<number> => {
        const point = h.arm(window, 'hang');
        const pending = owner.client.generate({ ...owner, data });
        await point.reached();
        await h.backing.redis.client.flushall();
        point.release();
        return (await pending).status;
      };
      expectEqual(await flushIn('after-claim'), 200, 'the answer of an attempt that has its data');
      expectEqual(await flushIn('after-render'), 200, 'the answer of an attempt that has its document');
      // Small data come with the document; the worker reads larger ones while it claims.
      const large = { notes: 'x'.repeat(20_000) };
      expectEqual(await flushIn('before-claim', large), 503, 'the answer without data');
      await h.expectCharged(owner, { failed: 1, succeeded: 2 }, 3);
      await h.backing.redis.client.flushall();
      // Its API dies before it is queued: only a sweep can finish it.
      await h.killIn('after-commit-before-add', () => owner.client.generate(owner));
      const { accountId } = owner.account;
      await until('a sweep, whose schedule was flushed', async () => (await h.statuses(accountId)).failed === 2);
      await h.startApi();
      await h.expectCharged(owner, { failed: 2, succeeded: 2 }, 3);
    },
  },
  {
    id: 'R8',
    title: 'Redis paused, slow, and half open',
    story:
      'CLIENT PAUSE of 10 s, 3 s of delay on every byte, connections without a server: 200, 503 or 504, nothing twice, no restart needed',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 100 });
      const ask = (prefix: string) =>
        together(5, (index) => owner.client.generate({ ...owner, key: `${prefix}-${index}` }));
      const { client, proxy } = h.backing.redis;
      await client.call('CLIENT', 'PAUSE', '10000', 'ALL');
      const paused = await ask('paused');
      proxy.set({ delayMs: 3_000 });
      const slow = await ask('slow');
      proxy.set({ delayMs: 0 });
      proxy.halfOpenAll();
      const statuses = Object.keys(tally([...paused, ...slow, ...(await ask('half-open'))]));
      expect(
        statuses.every((status) => ['200', '503', '504'].includes(status)),
        `answers ${statuses.join(', ')}`,
      );
      await until('requests succeeding again', async () => (await owner.client.generate(owner)).status === 200);
      await h.settled();
      for (const prefix of ['paused', 'slow', 'half-open'])
        expectEqual(tally(await ask(prefix)), { 200: 5 }, `the same requests again (${prefix})`);
      const { succeeded = 0 } = await h.statuses(owner.account.accountId);
      expect(succeeded >= 16, `${succeeded} documents made`);
    },
  },
  {
    id: 'R9',
    title: 'rate limiter without Redis',
    story: 'Each process counts for itself: the limit still holds, and credits are enforced by PostgreSQL',
    async run(h) {
      await h.start({ api: { env: { RATE_LIMIT_REQUESTS: '30', RATE_LIMIT_WINDOW_SECONDS: '600' } } });
      const client = await h.account({ credits: 5 });
      await h.backing.redis.proxy.refuse();
      const answers = await together(40, () => client.call('GET', '/v1/account/quotas'));
      expectEqual(tally(answers), { 200: 30, 429: 10 }, 'the answers without Redis');
    },
  },
];

export const postgresOutageRows: readonly Row[] = [
  {
    id: 'P1',
    title: 'PostgreSQL stopped immediately during requests',
    story:
      'An immediate shutdown with four documents in progress: 503 meanwhile, then all four are delivered and charged once',
    set: 'usual',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 10 });
      const request = () => owner.client.generate(owner);
      const point = h.arm('after-claim', 'hang', 4);
      const pending = together(4, request);
      await point.reached(4);
      h.backing.postgres.signal('SIGQUIT');
      await h.backing.postgres.proxy.refuse();
      expectEqual(tally(await together(5, request)), { 503: 5 }, 'the answers meanwhile');
      await until('a red readiness', async () => (await h.api.readiness()).status === 503);
      point.release();
      await h.backing.heal();
      expectEqual(tally(await pending), { 200: 4 }, 'the answers of the four');
      await h.expectCharged(owner, { succeeded: 4 }, 6);
    },
  },
];
