import type { Answer, Client } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import type { Harness } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const kinds = ['preview', 'data', 'upload', 'result'] as const;

const preview = (client: Client, templateId: string, signal?: AbortSignal): Promise<Answer> =>
  client.call('POST', '/v1/templates/preview', {
    ...(signal !== undefined && { signal }),
    body: JSON.stringify({ templateId, data: { canary: client.account.canary, order: 'preview' } }),
    headers: { 'Content-Type': 'application/json' },
  });

/** The keys of previews in Redis, with the seconds until they expire. */
async function keysOf(h: Harness): Promise<readonly (readonly [key: string, ttlSeconds: number])[]> {
  const { client } = h.backing.redis;
  const lists = await Promise.all(kinds.map((kind) => client.keys(`${h.prefix}:${kind}:prv_*`)));
  return await Promise.all(lists.flat().map(async (key) => [key, await client.ttl(key)] as const));
}

/** The previews that wait for a worker. */
async function waitingOf(h: Harness): Promise<number> {
  const { client } = h.backing.redis;
  const keys = await client.keys(`*${h.prefix}*:arrivals`);
  const counts = await Promise.all(keys.map((key) => client.zcard(key)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function expectNothingLeft(h: Harness, accountId: string): Promise<void> {
  await until('everything of the preview being removed', async () => (await keysOf(h)).length === 0, 5_000);
  expectEqual(await h.statuses(accountId), {}, 'the documents of the account');
  const [{ entries } = { entries: -1 }] = await h.query<{ entries: number }>(
    'select count(*)::int as entries from generations where account_id = $1',
    [accountId],
  );
  expectEqual(entries, 0, 'rows of the account');
}

export const previewRows: readonly Row[] = [
  {
    id: 'W16',
    title: 'kill -9 worker with a preview',
    story:
      'SIGKILL before its pages are stored, then before the reply: another worker makes it; 200, and nothing is left',
    async run(h) {
      // On a busy machine a second LibreOffice may take longer than the limit of the other rows.
      await h.start({ pdf: true, api: { env: { WAIT_LIMIT_MS: '90000' } } });
      const { client, account, templateId } = await h.owner(letter, { credits: 1 });
      for (const window of ['preview-made-before-store', 'preview-stored-before-reply'] as const) {
        await h.startPdfWorker();
        const point = h.arm(window, 'kill');
        const answer = await preview(client, templateId);
        await point.reached();
        expectEqual(answer.status, 200, `the answer (${answer.body.toString('latin1').slice(0, 300)})`);
        await expectNothingLeft(h, account.accountId);
      }
      expectEqual((await client.quotas()).docs, 1, 'the credits left');
      // It removes the files of the killed ones.
      await h.startPdfWorker();
    },
  },
  {
    id: 'W17',
    title: 'kill -9 API with a preview',
    story: 'SIGKILL after the data is in Redis, before and after the job: the keys expire; nobody is charged',
    async run(h) {
      const { worker } = await h.start({ pdf: true });
      const { client, account, templateId } = await h.owner(letter, { credits: 1 });
      const point = h.arm('preview-stored-before-add', 'kill');
      expectEqual((await preview(client, templateId)).status, 0, 'the answer of the killed API');
      await point.reached();
      const left = await keysOf(h);
      expect(left.length > 0, 'the keys of the preview are left');
      for (const [key, ttlSeconds] of left) expect(ttlSeconds > 0 && ttlSeconds <= 60, `${key} expires`);
      const api = await h.startApi();
      const made = h.arm('preview-made-before-store', 'hang');
      const pending = preview(client, templateId);
      await made.reached();
      await api.kill();
      made.release();
      expectEqual((await pending).status, 0, 'the answer of the second killed API');
      await until('the worker having replied to nobody', () => worker.log().includes('prv_'), 20_000);
      await h.startApi();
      for (const [key, ttlSeconds] of await keysOf(h)) expect(ttlSeconds > 0 && ttlSeconds <= 60, `${key} expires`);
      expectEqual(await h.statuses(account.accountId), {}, 'the documents of the account');
      expectEqual((await preview(client, templateId)).status, 200, 'a later preview');
      expectEqual((await client.quotas()).docs, 1, 'the credits left');
    },
  },
  {
    id: 'W18',
    title: 'clients that disconnect from previews',
    story: 'no PDF worker, 20 clients that disconnect: nothing waits and nothing is left; a later preview is answered',
    async run(h) {
      await h.start({});
      const { client, account, templateId } = await h.owner(letter, { credits: 1 });
      const leaving = new AbortController();
      const answers = Array.from({ length: 20 }, () => preview(client, templateId, leaving.signal));
      await until('all previews waiting', async () => (await waitingOf(h)) === 20, 10_000);
      leaving.abort();
      for (const { status } of await Promise.all(answers)) expectEqual(status, 0, 'the answer of a client that left');
      await until('no preview waiting', async () => (await waitingOf(h)) === 0, 2_000);
      await expectNothingLeft(h, account.accountId);
      await h.startPdfWorker();
      expectEqual((await preview(client, templateId)).status, 200, 'a later preview');
    },
  },
];
