import { setTimeout as delay } from 'node:timers/promises';
import { acceptedMails } from '../../checks/mail.ts';
import type { Answer, GenerateOptions } from '../../client/client.ts';
import { items, letter, list } from '../../client/templates.ts';
import { Balancer } from '../../harness/balancer.ts';
import { type Harness, type Owner, tally, together } from '../../harness/harness.ts';
import { descendants } from '../../harness/measure.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const perSecond = 20;
const maxPending = 4;
/** Longer than a balancer needs to notice that an API drains, also on a busy machine. */
const draining = { env: { DRAIN_DELAY_MS: '5000' } };
const email = { to: ['ada@sink.test'] };
const requests: readonly Omit<GenerateOptions, 'templateId'>[] = [
  {},
  { format: 'pdf' },
  { email },
  {},
  { format: 'pdf', email },
];

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Sends requests in turns through the balancer until `work` is done, none while four have no answer. */
async function loadDuring(h: Harness, { client, templateId }: Owner, work: () => Promise<void>): Promise<Answer[]> {
  const balancer = new Balancer(h);
  const pending: Promise<Answer>[] = [];
  let isOver = false;
  let unanswered = 0;
  const working = work().finally(() => {
    isOver = true;
  });
  // Reported below, unless the load fails first.
  working.catch(() => undefined);
  while (!isOver) {
    if (unanswered < maxPending) {
      unanswered += 1;
      const request = requests[pending.length % requests.length];
      const answer = client.generate({ ...request, templateId, api: await balancer.next() });
      pending.push(answer.finally(() => (unanswered -= 1)));
    }
    await delay(1_000 / perSecond);
  }
  await working;
  const answers = await Promise.all(pending);
  balancer.stop();
  return answers;
}

/**
 * Out: one more API and two more workers. In: the oldest processes stop, one by one, until two APIs and one worker are
 * left.
 */
async function scaleOutAndIn(h: Harness): Promise<void> {
  await h.startApi(draining);
  await h.startPdfWorker();
  await h.startWorker();
  const [api, ...others] = h.processes.filter(({ exit }) => exit === undefined);
  const [worker, ...newer] = others.filter(({ spec }) => spec.kind === 'worker');
  // The worker without LibreOffice, which is the last of them.
  for (const old of [worker, api, newer.at(-1)]) {
    const exit = await old?.stop();
    expectEqual(exit?.code, 0, `the ending of ${old?.spec.name ?? 'a process'}`);
  }
}

interface LayoutState {
  readonly pdfEngine: 'office' | 'direct';
  readonly proving: boolean;
}

async function layoutOf({ client, templateId }: Owner, api?: string): Promise<LayoutState> {
  const { body } = await client.call('GET', `/v1/templates/${templateId}`, { api });
  return JSON.parse(body.toString()) as LayoutState;
}

const isDirect = async (owner: Owner): Promise<boolean> => (await layoutOf(owner)).pdfEngine === 'direct';

const direct = { env: { DIRECT_PDF: 'on' } };

/**
 * One process at a time, each new one before the old one stops. Waits in between until the template is proven, which the
 * older worker must not hold up, and then for a PDF of each worker.
 */
async function turnOnDirectLayout(h: Harness, owner: Owner): Promise<void> {
  const old = h.processes.filter(({ exit }) => exit === undefined);
  const next = async (kind: string) => {
    const exit = await old.find(({ spec, exit: ended }) => spec.kind === kind && ended === undefined)?.stop();
    expectEqual(exit?.code, 0, `the ending of an older ${kind}`);
  };
  await h.startPdfWorker(direct);
  for (let api = 0; api < 2; api++) {
    await h.startApi({ env: { ...direct.env, ...draining.env } });
    await next('api');
  }
  await until('the template being laid out directly beside a worker without direct layout', () => isDirect(owner));
  await next('worker');
  await delay(2_000);
}

export const workerRestartRows: readonly Row[] = [
  {
    id: 'W8',
    title: 'SIGTERM with 4 jobs in flight',
    story:
      'The worker accepts no more jobs, finishes the running ones and exits with 0: every client gets its document',
    set: 'extended',
    async run(h) {
      const { worker } = await h.start();
      const { client, templateId } = await h.owner(letter);
      const point = h.arm('after-claim', { delay: 1_500 }, 4);
      const pending = together(4, () => client.generate({ templateId }));
      await point.reached(4);
      expectEqual(await worker.stop(), { code: 0, signal: null }, 'the ending of the worker');
      expectEqual(tally(await pending), { 200: 4 }, 'the answers');
    },
  },
  {
    id: 'W9',
    title: 'SIGTERM twice, then SIGKILL',
    story: 'The worker exits at once with unfinished jobs: another worker runs them once',
    async run(h) {
      const { worker } = await h.start();
      const owner = await h.owner(letter);
      const point = h.arm('after-claim', 'hang');
      const pending = owner.client.generate(owner);
      await point.reached();
      for (const signal of ['SIGTERM', 'SIGTERM'] as const) {
        worker.signal(signal);
        await delay(200);
      }
      await worker.kill();
      point.release();
      await h.startWorker();
      expectEqual((await pending).status, 200, 'the answer');
      await h.expectCharged(owner, { succeeded: 1 }, 999);
    },
  },
  {
    id: 'W21',
    title: 'SIGTERM for every process of a worker, as systemd sends it',
    story:
      'LibreOffice and render processes get it again and again while documents are made and the worker drains: each is made by its first attempt, and nothing counts as a crash',
    async run(h) {
      const { worker } = await h.start({ pdf: true });
      const { client, account, templateId } = await h.owner(list);
      const point = h.arm('after-render', { delay: 1 }, 4);
      const data = { items: items(2_000) };
      const requests = Array.from({ length: 6 }, (_, index) =>
        client.generate({ templateId, data, format: index < 4 ? 'pdf' : 'docx' }),
      );
      await point.reached(1);
      const stopped = worker.stop();
      while (worker.exit === undefined) {
        for (const pid of descendants(worker.pid)) signalIfRunning(pid, 'SIGTERM');
        await delay(100);
      }
      expectEqual(await stopped, { code: 0, signal: null }, 'the ending of the worker');
      await h.startPdfWorker();
      expectEqual(tally(await Promise.all(requests)), { 200: 6 }, 'the answers');
      const lost = worker.log().match(/was lost|killed or hung/g) ?? [];
      expectEqual(lost, [], 'losses in the log of the worker');
      for (const table of ['conversion_failures', 'template_failures']) {
        const rows = await h.query(`select * from ${table} where account_id = $1`, [account.accountId]);
        expectEqual(rows, [], `rows of ${table}`);
      }
    },
  },
  {
    id: 'W15',
    title: 'scale-out and scale-in under load',
    story:
      'Word files, PDFs and e-mails are requested while APIs and workers are added and the first ones removed, one by one: every answer is 200, each document is charged once, each e-mail is sent once',
    set: 'extended',
    async run(h) {
      await Promise.all([h.startApi(draining), h.startApi(draining), h.startPdfWorker()]);
      const owner = await h.owner(letter, { credits: 10_000 });
      const answers = await loadDuring(h, owner, () => scaleOutAndIn(h));
      expectEqual(tally(answers), { 200: answers.length }, 'the answers');
      await h.settled();
      await h.expectCharged(owner, { succeeded: answers.length }, 10_000 - answers.length);
      const ids = answers.map(({ headers }) => headers.get('Email-Delivery-Id')).filter((id) => id !== null);
      expect(ids.length > 0, 'no e-mail was requested');
      const mailed = acceptedMails(h).map(({ deliveryId }) => deliveryId);
      for (const id of ids) expectEqual(mailed.filter((each) => each === id).length, 1, `the e-mails of ${id}`);
    },
  },
  {
    id: 'W19',
    title: 'direct layout turned on under load',
    story:
      'Word files, PDFs and e-mails are requested while each API and worker is replaced by one with direct layout: every answer is 200, each document is charged once, and PDFs come from LibreOffice first and from Docmill afterwards',
    set: 'extended',
    async run(h) {
      await Promise.all([h.startApi(draining), h.startApi(draining), h.startPdfWorker()]);
      const owner = await h.owner(letter, { credits: 10_000 });
      const answers = await loadDuring(h, owner, () => turnOnDirectLayout(h, owner));
      expectEqual(tally(answers), { 200: answers.length }, 'the answers');
      await h.settled();
      await h.expectCharged(owner, { succeeded: answers.length }, 10_000 - answers.length);
      const engines = await h.query<{ name: string; count: number }>(
        `select engine->>'name' as name, count(*)::int as count from generations
          where account_id = $1 and format = 'pdf' group by 1 order by 1`,
        [owner.client.account.accountId],
      );
      expectEqual(
        engines.map(({ name }) => name),
        ['Docmill', 'LibreOffice'],
        'the engines',
      );
    },
  },
  {
    id: 'W20',
    title: 'kill -9 worker that compares pages',
    story:
      'SIGKILL while it proves a template: the template waits for another worker, which proves it again; nobody is charged',
    set: 'extended',
    async run(h) {
      await Promise.all([h.startApi(direct), h.startPdfWorker(direct)]);
      const owner = await h.killIn('proof-claimed-before-decision', () => h.owner(letter, { credits: 1 }));
      const { pdfEngine, proving } = await layoutOf(owner);
      expectEqual({ pdfEngine, proving }, { pdfEngine: 'office', proving: true }, 'the template');
      await h.startPdfWorker(direct);
      await until('the template being proven again', () => isDirect(owner), 240_000);
      await h.expectCharged(owner, {}, 1);
    },
  },
];
