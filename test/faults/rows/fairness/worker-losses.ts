import { setTimeout as delay } from 'node:timers/promises';
import { workerVariables } from '../../../../src/shared/config/worker-variables.ts';
import type { Answer } from '../../client/client.ts';
import { items, letter, list } from '../../client/templates.ts';
import { type Harness, tally } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
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
const slowestMs = 15_000;
const stopMs = 5_000;

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
    story: '200 calls, 16 at a time: the slowest takes less than 15 s, none is lost, none is produced twice',
    async run(h) {
      await startTwoWorkers(h);
      const { client, account, templateId } = await h.owner(list, { credits: 300 });
      const answers: Answer[] = [];
      let sent = 0;
      const callRepeatedly = async (): Promise<void> => {
        for (let call = sent++; call < 200; call = sent++) {
          const format = call % 4 === 0 ? 'pdf' : 'docx';
          answers.push(await client.generate({ templateId, format, data: { items: items(200) } }));
        }
      };
      const load = Promise.all(Array.from({ length: 16 }, callRepeatedly));
      await until('a quarter of the calls being answered', () => answers.length >= 50);
      const point = h.arm('after-render', 'kill');
      await point.reached();
      await load;
      // The next start removes the files of the killed worker.
      await h.startPdfWorker(worker);
      expectEqual(tally(answers), { 200: 200 }, 'the answers');
      const slowest = Math.max(...answers.map(({ durationMs }) => durationMs));
      expect(slowest < slowestMs, `the slowest call took ${Math.round(slowest)} ms`);
      expectEqual(await h.statuses(account.accountId), { succeeded: 200 }, 'the documents');
      expectEqual((await client.quotas()).docs, 100, 'the credits left');
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
      const pending = Array.from({ length: 8 }, () => client.generate({ templateId }));
      await point.reached(8);
      for (const each of h.workers) {
        each.signal('SIGSTOP');
        await delay(stopMs);
        each.signal('SIGCONT');
        await delay(1_000);
      }
      point.release();
      const answers = await Promise.all(pending);
      expectEqual(tally(answers), { 200: 8 }, 'the answers');
      await expectAttempts(h, account.accountId, 1);
    },
  },
];
