import type { Answer } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import { type Harness, type Owner, together } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

function preview({ client, templateId }: Owner, signal?: AbortSignal): Promise<Answer> {
  return client.call('POST', '/v1/templates/preview', {
    ...(signal !== undefined && { signal }),
    body: JSON.stringify({ templateId, data: { canary: client.account.canary, order: 'preview' } }),
    headers: { 'Content-Type': 'application/json' },
  });
}

async function keysOf(h: Harness): Promise<readonly string[]> {
  const kinds = ['preview', 'data', 'upload', 'result'];
  return (await Promise.all(kinds.map((kind) => h.backing.redis.client.keys(`${h.prefix}:${kind}:prv_*`)))).flat();
}

async function expectExpiring(h: Harness, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    // -2 when it has expired meanwhile.
    const ttlSeconds = await h.backing.redis.client.ttl(key);
    expect(ttlSeconds !== -1 && ttlSeconds <= 60, `${key} expires in ${ttlSeconds} s`);
  }
}

/** The previews that wait for a worker. */
async function waitingOf(h: Harness): Promise<number> {
  const { client } = h.backing.redis;
  const counts = (await client.keys(`*${h.prefix}*:arrivals`)).map((key) => client.zcard(key));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function expectNothingLeft(h: Harness, { account }: Owner): Promise<void> {
  await until('everything of the preview being removed', async () => (await keysOf(h)).length === 0);
  expectEqual(await h.statuses(account.accountId), {}, 'the documents of the account');
}

export const previewRows: readonly Row[] = [
  {
    id: 'W16',
    title: 'kill -9 worker with a preview',
    story:
      'SIGKILL before its pages are stored, then before the reply: another worker makes it; 200, and nothing is left',
    async run(h) {
      await h.start({ pdf: true });
      const owner = await h.owner(letter, { credits: 1 });
      for (const window of ['preview-made-before-store', 'preview-stored-before-reply'] as const) {
        await h.startPdfWorker();
        const answer = await h.killIn(window, () => preview(owner));
        expectEqual(answer.status, 200, `the answer (${answer.body.toString('latin1').slice(0, 300)})`);
        await expectNothingLeft(h, owner);
      }
      expectEqual((await owner.client.quotas()).docs, 1, 'the credits left');
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
      const owner = await h.owner(letter, { credits: 1 });
      const killed = await h.killIn('preview-stored-before-add', () => preview(owner));
      expectEqual(killed.status, 0, 'the answer of the killed API');
      const left = await keysOf(h);
      expect(left.length > 0, 'no key of the preview is left');
      await expectExpiring(h, left);
      const api = await h.startApi();
      const made = h.arm('preview-made-before-store', 'hang');
      const pending = preview(owner);
      await made.reached();
      await api.kill();
      made.release();
      expectEqual((await pending).status, 0, 'the answer of the second killed API');
      await until('the worker having replied to nobody', () => worker.log().includes('prv_'));
      await h.startApi();
      await expectExpiring(h, await keysOf(h));
      expectEqual((await preview(owner)).status, 200, 'a later preview');
      await h.expectCharged(owner, {}, 1);
    },
  },
  {
    id: 'W18',
    title: 'clients that disconnect from previews',
    story: 'no PDF worker, 20 clients that disconnect: nothing waits and nothing is left; a later preview is answered',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 1 });
      const leaving = new AbortController();
      const answers = together(20, () => preview(owner, leaving.signal));
      await until('all previews waiting', async () => (await waitingOf(h)) === 20);
      leaving.abort();
      for (const { status } of await answers) expectEqual(status, 0, 'the answer of a client that left');
      await until('no preview waiting', async () => (await waitingOf(h)) === 0);
      await expectNothingLeft(h, owner);
      await h.startPdfWorker();
      expectEqual((await preview(owner)).status, 200, 'a later preview');
    },
  },
];
