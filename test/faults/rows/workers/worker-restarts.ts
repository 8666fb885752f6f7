import { setTimeout as delay } from 'node:timers/promises';
import { acceptedMails } from '../../checks/mail.ts';
import type { Answer, GenerateOptions } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import { Balancer } from '../../harness/balancer.ts';
import { type Harness, type Owner, tally } from '../../harness/harness.ts';
import { expect, expectEqual } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const perSecond = 20;
/** Longer than a balancer needs to notice that an API drains, also on a busy machine. */
const draining = { env: { DRAIN_DELAY_MS: '2000', WAIT_LIMIT_MS: '110000' } };

type Request = Omit<GenerateOptions, 'templateId' | 'api'>;

/** Sends twenty requests per second through the balancer until `work` is done, fewer while `maxPending` have no answer. */
async function loadDuring(
  h: Harness,
  { client, templateId }: Owner,
  work: () => Promise<void>,
  of: { readonly requests: readonly Request[]; readonly maxPending: number } = {
    requests: [{}],
    maxPending: Number.POSITIVE_INFINITY,
  },
): Promise<Answer[]> {
  const balancer = new Balancer(h);
  await balancer.refresh();
  const pending: Promise<Answer>[] = [];
  let isOver = false;
  let unanswered = 0;
  const working = work().finally(() => {
    isOver = true;
  });
  // Reported below, unless the load fails first.
  working.catch(() => undefined);
  while (!isOver) {
    const request = of.requests[pending.length % of.requests.length];
    if (unanswered < of.maxPending) {
      unanswered += 1;
      const answer = client.generate({ ...request, templateId, api: balancer.next() });
      pending.push(answer.finally(() => (unanswered -= 1)));
    }
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

/** Out: one more API and two more workers. In: the oldest processes stop, one by one, until two APIs and one worker are left. */
async function scale(h: Harness, direction: 'out' | 'in'): Promise<void> {
  if (direction === 'out') {
    await h.startApi(draining);
    await h.startPdfWorker();
    await h.startWorker();
    return;
  }
  const [api, ...others] = h.processes.filter(({ exit }) => exit === undefined);
  const [worker, ...newer] = others.filter(({ spec }) => spec.kind === 'worker');
  // The worker without LibreOffice, which is the last of them.
  for (const old of [worker, api, newer.at(-1)]) {
    const exit = await old?.stop();
    expectEqual(exit?.code, 0, `the ending of ${old?.spec.name ?? 'a process'}`);
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
      const owner = await h.owner(letter, { credits: 100_000 });
      const answers = await loadDuring(h, owner, () => replaceAll(h, 2));
      expectEqual(tally(answers), { 200: answers.length }, 'the answers');
      expectEqual(await h.statuses(owner.account.accountId), { succeeded: answers.length }, 'the documents');
    },
  },
  {
    id: 'W15',
    title: 'scale-out and scale-in under load',
    story:
      'Word files, PDFs and e-mails are requested while APIs and workers are added and the first ones removed, one by one: every answer is 200, each document is charged once, each e-mail is sent once',
    isQuick: true,
    async run(h) {
      await Promise.all([h.startApi(draining), h.startApi(draining), h.startPdfWorker()]);
      const owner = await h.owner(letter, { credits: 10_000 });
      const email = { to: ['ada@sink.test'] };
      const requests = [{}, { format: 'pdf' }, { email }, {}, { format: 'pdf', email }] as const;
      const work = async (): Promise<void> => {
        await scale(h, 'out');
        await scale(h, 'in');
      };
      const answers = await loadDuring(h, owner, work, { requests, maxPending: 4 });
      expectEqual(tally(answers), { 200: answers.length }, 'the answers');
      await h.settled();
      expectEqual(await h.statuses(owner.account.accountId), { succeeded: answers.length }, 'the documents');
      expectEqual((await owner.client.quotas()).docs, 10_000 - answers.length, 'the credits left');
      const ids = answers.map(({ headers }) => headers.get('Email-Delivery-Id')).filter((id) => id !== null);
      expect(ids.length > 0, 'no e-mail was requested');
      for (const id of ids) {
        const sent = acceptedMails(h).filter(({ deliveryId }) => deliveryId === id).length;
        expectEqual(sent, 1, `the e-mails of ${id}`);
      }
    },
  },
];
