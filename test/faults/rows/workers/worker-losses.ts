import { setTimeout as delay } from 'node:timers/promises';
import { workerVariables } from '../../../../src/shared/config/worker-variables.ts';
import type { Answer } from '../../client/client.ts';
import { items, letter, list, nestedSections } from '../../client/templates.ts';
import { type Harness, tally, together } from '../../harness/harness.ts';
import { expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

/** The times of recovery that the service has by default, instead of the short ones of the other rows. */
const { JOB_LOCK_MS, JOB_STALLED_CHECK_MS, SWEEP_INTERVAL_MS } = workerVariables;
const defaultTimes = Object.fromEntries(
  Object.entries({ JOB_LOCK_MS, JOB_STALLED_CHECK_MS, SWEEP_INTERVAL_MS }).map(([name, schema]) => [
    name,
    String(schema.parse(undefined)),
  ]),
);
const worker = { env: defaultTimes };

async function startTwoWorkers(h: Harness): Promise<void> {
  await Promise.all([h.startApi(), h.startPdfWorker(worker), h.startPdfWorker(worker)]);
}

async function expectAttempts(h: Harness, accountId: string, atMost: number): Promise<void> {
  const rows = await h.query<{ id: string; attempts: number }>(
    'select id, attempts from generations where account_id = $1 and attempts > $2',
    [accountId, atMost],
  );
  expectEqual(rows, [], `documents with more than ${atMost} attempts`);
}

export const workerLossRows: readonly Row[] = [
  {
    id: 'K1',
    title: 'kill -9 of one of two workers under load',
    story: '200 calls, 16 at a time, with the default times of recovery: none is lost, none is produced twice',
    async run(h) {
      await startTwoWorkers(h);
      const { client, account, templateId } = await h.owner(list, { credits: 300 });
      const answers: Answer[] = [];
      let sent = 0;
      const load = together(16, async () => {
        for (let call = sent++; call < 200; call = sent++) {
          const format = call % 4 === 0 ? 'pdf' : 'docx';
          answers.push(await client.generate({ templateId, format, data: { items: items(200) } }));
        }
      });
      await until('a quarter of the calls being answered', () => answers.length >= 50);
      await h.arm('after-render', 'kill').reached();
      await load;
      // The next start removes the files of the killed worker.
      await h.startPdfWorker(worker);
      expectEqual(tally(answers), { 200: 200 }, 'the answers');
      await h.expectCharged({ client }, { succeeded: 200 }, 100);
      await expectAttempts(h, account.accountId, 2);
    },
  },
  {
    id: 'K2',
    title: 'healthy workers stopped for 5 s, one after the other',
    story:
      'Neither is taken for lost: every document is produced by its first attempt, though the other worker is awake',
    async run(h) {
      await startTwoWorkers(h);
      const { client, account, templateId } = await h.owner(letter);
      const point = h.arm('after-claim', 'hang', 8);
      const pending = together(8, () => client.generate({ templateId }));
      await point.reached(8);
      for (const each of h.workers) {
        each.signal('SIGSTOP');
        await delay(5_000);
        each.signal('SIGCONT');
        await delay(1_000);
      }
      point.release();
      expectEqual(tally(await pending), { 200: 8 }, 'the answers');
      await expectAttempts(h, account.accountId, 1);
    },
  },
  {
    id: 'F1',
    title: 'an account whose documents never end, beside another one',
    story:
      'Sixteen renders take their whole limit, in two slots: each is refused and free, and no call of the other fails',
    async run(h) {
      await h.start({
        pdf: true,
        worker: { env: { RENDER_PROCESSES: '2', OFFICE_SLOTS: '2', RENDER_TIMEOUT_MS: '4000' } },
      });
      const { client, templateId } = await h.owner(nestedSections(8));
      const other = await h.owner(letter);
      const a = Array.from({ length: 20 }, (_, n) => ({ n }));
      const endless = together(16, (index) => client.generate({ templateId, data: { a, order: `endless-${index}` } }));
      for (const format of ['docx', 'pdf', 'docx', 'pdf'] as const)
        expectEqual((await other.client.generate({ ...other, format })).status, 200, 'the other account');
      expectEqual(tally(await endless), { 400: 16 }, 'the busy account');
      expectEqual((await client.quotas()).docs, 1_000, 'the credits of the busy account');
    },
  },
];
