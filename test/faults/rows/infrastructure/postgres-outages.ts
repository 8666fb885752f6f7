import { setTimeout as delay } from 'node:timers/promises';
import { letter } from '../../client/templates.ts';
import { tally } from '../../harness/harness.ts';
import { impatient } from '../../harness/settings.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

export const postgresOutageRows: readonly Row[] = [
  {
    id: 'P1',
    title: 'PostgreSQL stopped immediately during requests',
    story:
      'An immediate shutdown with four documents in progress: 503 meanwhile, then all four are delivered and charged once',
    isQuick: true,
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 10 });
      const point = h.arm('after-claim', 'hang', 4);
      const pending = Array.from({ length: 4 }, () => client.generate({ templateId }));
      await point.reached(4);
      h.backing.postgres.signal('SIGQUIT');
      await h.backing.postgres.proxy.refuse();
      const meanwhile = await Promise.all(Array.from({ length: 5 }, () => client.generate({ templateId })));
      expectEqual(tally(meanwhile), { 503: 5 }, 'the answers meanwhile');
      const slowestMs = Math.max(...meanwhile.map(({ durationMs }) => durationMs));
      expect(slowestMs < 3_000, `the slowest 503 took ${Math.round(slowestMs)} ms`);
      await until('a red readiness', async () => (await h.api.readiness()).status === 503, 5_000);
      point.release();
      await h.backing.heal();
      expectEqual(tally(await Promise.all(pending)), { 200: 4 }, 'the answers of the four');
      const { succeeded, failed = 0 } = await h.statuses(account.accountId);
      expectEqual([succeeded, failed], [4, 0], 'the documents');
    },
  },
  {
    id: 'P2',
    title: 'backend terminated inside the reserving transaction',
    story: 'Rolled back, 503; a retry with the same key produces the one document',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 10 });
      const point = h.arm('idempotency-claimed', 'hang');
      const pending = client.generate({ templateId, key: 'p2' });
      await point.reached();
      const ended = await h.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'docmill-api' and state = 'idle in transaction'`,
      );
      expectEqual(ended.length, 1, 'terminated backends');
      point.release();
      expectEqual((await pending).status, 503, 'the answer');
      expectEqual(await h.statuses(account.accountId), {}, 'documents after the rollback');
      expectEqual((await client.generate({ templateId, key: 'p2' })).status, 200, 'the same request again');
      expectEqual((await client.quotas()).docs, 9, 'the credits left');
    },
  },
  {
    id: 'P3',
    title: 'commit succeeds, its answer is lost',
    story:
      'The connection is reset between COMMIT and its reply: 503, then the same key answers the same document, one credit',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 10 });
      const { proxy } = h.backing.postgres;
      const committing = new Set<number>();
      proxy.set({
        intercept: ({ direction, bytes, connection }) => {
          if (direction === 'up' && bytes.includes('commit')) committing.add(connection);
          return direction === 'down' && committing.has(connection) ? 'reset' : 'pass';
        },
      });
      expectEqual((await client.generate({ templateId, key: 'p3' })).status, 503, 'the answer');
      expectEqual(committing.size, 1, 'commits whose answer was lost');
      await proxy.heal();
      const [first] = await h.query<{ id: string }>('select id from generations where account_id = $1', [
        account.accountId,
      ]);
      expectEqual((await client.generate({ templateId, key: 'p3' })).status, 200, 'the same request again');
      const rows = await h.query('select id, status from generations where account_id = $1', [account.accountId]);
      expectEqual(rows, [{ id: first?.id, status: 'succeeded' }], 'the documents');
      expectEqual((await client.quotas()).docs, 9, 'the credits left');
    },
  },
  {
    id: 'P4',
    title: 'PostgreSQL down at completion',
    story: 'Down for 5 s when the document is ready: settled once when it is back, and not produced twice',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 10 });
      const point = h.arm('result-stored-before-settle', 'hang');
      const pending = client.generate({ templateId });
      await point.reached();
      await h.backing.postgres.proxy.refuse();
      point.release();
      await delay(5_000);
      await h.backing.postgres.proxy.heal();
      expectEqual((await pending).status, 200, 'the answer');
      const rows = await h.query('select status, attempts from generations where account_id = $1', [account.accountId]);
      expectEqual(rows, [{ status: 'succeeded', attempts: 1 }], 'the documents');
    },
  },
  {
    id: 'P5',
    title: 'connection pool exhausted',
    story:
      'Every statement waits for a lock, 200 requests on two connections: 503 within 5 s, and 200 within 10 s after its release',
    async run(h) {
      await h.start({ api: { env: { ...impatient, DATABASE_POOL_SIZE: '2' } }, worker: { env: impatient } });
      const { client, templateId } = await h.owner(letter, { credits: 1_000 });
      const blocker = await h.backing.postgres.pool.connect();
      try {
        await blocker.query('begin');
        await blocker.query('lock table generations, templates in access exclusive mode');
        const answers = await Promise.all(Array.from({ length: 200 }, () => client.generate({ templateId })));
        expectEqual(tally(answers), { 503: 200 }, 'the answers');
        const slowestMs = Math.max(...answers.map(({ durationMs }) => durationMs));
        expect(slowestMs < 6_000, `the slowest 503 took ${Math.round(slowestMs)} ms`);
      } finally {
        await blocker.query('rollback');
        blocker.release();
      }
      await until('200 again', async () => (await client.generate({ templateId })).status === 200, 10_000);
      expectEqual((await client.quotas()).docs, 999, 'the credits left');
      h.backing.postgres.proxy.set({ isFrozen: true });
      const frozen = await Promise.all(Array.from({ length: 20 }, () => client.generate({ templateId })));
      expectEqual(tally(frozen), { 503: 20 }, 'the answers while PostgreSQL says nothing');
      h.backing.postgres.proxy.resetAll();
      await h.backing.postgres.proxy.heal();
      await until('200 once more', async () => (await client.generate({ templateId })).status === 200, 10_000);
    },
  },
  {
    id: 'P6',
    title: "lock held on the account's row",
    story: 'Held longer than any limit: its requests get 503, nothing is half written, other accounts are not affected',
    async run(h) {
      await h.start({ api: { env: impatient }, worker: { env: impatient } });
      const stuck = await h.owner(letter, { credits: 10 });
      const other = await h.owner(letter, { credits: 10 });
      const blocker = await h.backing.postgres.pool.connect();
      try {
        await blocker.query('begin');
        await blocker.query('select 1 from allowances where account_id = $1 for update', [stuck.account.accountId]);
        const [blocked, free] = await Promise.all([
          Promise.all(Array.from({ length: 5 }, () => stuck.client.generate({ templateId: stuck.templateId }))),
          Promise.all(Array.from({ length: 5 }, () => other.client.generate({ templateId: other.templateId }))),
        ]);
        expectEqual(tally(blocked), { 503: 5 }, 'the answers of the locked account');
        expectEqual(tally(free), { 200: 5 }, 'the answers of the other account');
        const slowestMs = Math.max(...free.map(({ durationMs }) => durationMs));
        expect(slowestMs < 2_000, `the other account waited ${Math.round(slowestMs)} ms`);
      } finally {
        await blocker.query('rollback');
        blocker.release();
      }
      expectEqual(await h.statuses(stuck.account.accountId), {}, 'documents of the locked account');
      expectEqual((await stuck.client.quotas()).docs, 10, 'its credits left');
    },
  },
];
