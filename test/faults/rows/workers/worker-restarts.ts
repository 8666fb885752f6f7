import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Client } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import { Balancer } from '../../harness/balancer.ts';
import { type Harness, tally } from '../../harness/harness.ts';
import { expect, expectEqual } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const perSecond = 20;
/** Longer than a balancer needs to notice that an API drains: readiness is cached for a second. */
const draining = { env: { DRAIN_DELAY_MS: '1500' } };

/** Sends twenty requests per second through the balancer until `work` is done. */
async function loadDuring(
  h: Harness,
  client: Client,
  templateId: string,
  work: () => Promise<void>,
): Promise<Answer[]> {
  const balancer = new Balancer(h);
  await balancer.refresh();
  const pending: Promise<Answer>[] = [];
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    pending.push(client.generate({ templateId, api: balancer.next() }));
    await delay(1_000 / perSecond);
  }
  await working;
  const answers = await Promise.all(pending);
  balancer.stop();
  return answers;
}

/** Replaces each process by a new one that is ready before the old one is stopped. */
async function replaceAll(h: Harness, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const old of h.processes.filter(({ exit }) => exit === undefined)) {
      await (old.spec.kind === 'api' ? h.startApi(draining) : h.startWorker());
      const exit = await old.stop();
      expectEqual(exit?.code, 0, `the ending of ${old.spec.name}`);
    }
  }
}

export const workerRestartRows: readonly Row[] = [
  {
    id: 'W8',
    title: 'SIGTERM with 4 jobs in flight',
    story:
      'The worker accepts no more jobs, finishes the running ones and exits with 0: every client gets its document',
    isQuick: true,
    async run(h) {
      const { worker } = await h.start();
      const { client, templateId } = await h.owner(letter);
      const point = h.arm('after-claim', { delay: 1_500 }, 4);
      const pending = Array.from({ length: 4 }, () => client.generate({ templateId }));
      await point.reached(4);
      const exit = await worker.stop();
      expectEqual(exit, { code: 0, signal: null }, 'the ending of the worker');
      expectEqual(tally(await Promise.all(pending)), { 200: 4 }, 'the answers');
    },
  },
  {
    id: 'W9',
    title: 'SIGTERM twice, then SIGKILL',
    story: 'The worker exits at once with unfinished jobs: another worker runs them once',
    async run(h) {
      const { worker } = await h.start();
      const { client, account, templateId } = await h.owner(letter);
      const point = h.arm('after-claim', 'hang');
      const pending = client.generate({ templateId });
      await point.reached();
      worker.signal('SIGTERM');
      await delay(200);
      worker.signal('SIGTERM');
      await delay(200);
      await worker.kill();
      point.release();
      await h.startWorker();
      expectEqual((await pending).status, 200, 'the answer');
      expectEqual(await h.statuses(account.accountId), { succeeded: 1 }, 'the documents');
    },
  },
  {
    id: 'W13',
    title: 'all workers down',
    story:
      'Sync clients get 504 with the id of their document; the queue drains when a worker is back, without duplicates',
    async run(h) {
      const { worker } = await h.start({ api: { env: { WAIT_LIMIT_MS: '3000' } } });
      const { client, account, templateId } = await h.owner(letter, { credits: 30 });
      await worker.stop();
      const keys = Array.from({ length: 10 }, (_, index) => `w13-${index}`);
      const late = await Promise.all(keys.map((key) => client.generate({ templateId, key })));
      expectEqual(tally(late), { 504: 10 }, 'the answers without a worker');
      expect(
        late.every(({ body }) => body.includes('doc_')),
        'a 504 has no id of its document',
      );
      await h.startWorker();
      await h.settled();
      const again = await Promise.all(keys.map((key) => client.generate({ templateId, key })));
      expectEqual(tally(again), { 200: 10 }, 'the same requests again');
      expectEqual(await h.statuses(account.accountId), { succeeded: 10 }, 'the documents');
      expectEqual((await client.quotas()).docs, 20, 'the credits left');
    },
  },
  {
    id: 'W14',
    title: 'rolling restart under load',
    story: '20 requests a second through a balancer while every API and worker is replaced, twice: every answer is 200',
    async run(h) {
      await Promise.all([h.startApi(draining), h.startApi(draining), h.startWorker(), h.startWorker()]);
      const { client, account, templateId } = await h.owner(letter, { credits: 100_000 });
      const answers = await loadDuring(h, client, templateId, () => replaceAll(h, 2));
      expectEqual(tally(answers), { 200: answers.length }, 'the answers');
      expectEqual(await h.statuses(account.accountId), { succeeded: answers.length }, 'the documents');
    },
  },
];
