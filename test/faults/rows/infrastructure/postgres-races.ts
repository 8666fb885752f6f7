import { setTimeout as delay } from 'node:timers/promises';
import { letter, nestedSections } from '../../client/templates.ts';
import { type Harness, tally } from '../../harness/harness.ts';
import { patient } from '../../harness/settings.ts';
import { expect, expectEqual } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

/** Sends `requests` at once, distributed over the APIs: exactly `credits` of them succeed. */
async function raceAtLimit(h: Harness, requests: number, credits: number, apis: readonly string[]): Promise<void> {
  const { client, templateId } = await h.owner(letter, { credits });
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, index) => client.generate({ templateId, api: apis[index % apis.length] })),
  );
  expectEqual(tally(answers), { 200: credits, 402: requests - credits }, 'the answers');
  expectEqual((await client.quotas()).docs, 0, 'the credits left');
}

export const postgresRaceRows: readonly Row[] = [
  {
    id: 'P7',
    title: '100 parallel requests at 10 remaining credits',
    story: 'Exactly 10 times 200 and 90 times 402, nothing left',
    isQuick: true,
    async run(h) {
      const { api } = await h.start(patient);
      for (let run = 0; run < h.repeats; run++) await raceAtLimit(h, 100, 10, [api.url]);
    },
  },
  {
    id: 'P8',
    title: 'the same over 4 API processes',
    story: '60 requests at 7 remaining credits over four processes: exactly 7 times 200',
    async run(h) {
      const [apis] = await Promise.all([
        Promise.all(Array.from({ length: 4 }, () => h.startApi({ env: { DATABASE_POOL_SIZE: '5' } }))),
        h.startWorker(),
      ]);
      const urls = apis.map(({ url }) => url);
      for (let run = 0; run < h.repeats; run++) await raceAtLimit(h, 60, 7, urls);
    },
  },
  {
    id: 'P9',
    title: 'subscription and credits mixed',
    story: '3 of a subscription and 4 credits, 20 requests at once: 7 succeed, the subscription is used up first',
    async run(h) {
      await h.start();
      for (let run = 0; run < h.repeats; run++) {
        const { client, account, templateId } = await h.owner(letter, { subscription: 3, credits: 4 });
        expectEqual((await client.generate({ templateId })).status, 200, 'the first answer');
        const used = await h.query(
          'select kind, docs_settled as used from allowances where account_id = $1 order by kind',
          [account.accountId],
        );
        const order = [
          { kind: 'credits', used: 0 },
          { kind: 'subscription', used: 1 },
        ];
        expectEqual(used, order, 'what the first document used');
        const answers = await Promise.all(Array.from({ length: 20 }, () => client.generate({ templateId })));
        expectEqual(tally(answers), { 200: 6, 402: 14 }, 'the answers');
        expectEqual((await client.quotas()).docs, 0, 'what is left');
      }
    },
  },
  {
    id: 'P10',
    title: 'refund of a failed document races a new request at 0',
    story:
      'One credit, reserved by a document that fails while another is requested: 200 or 402, never both charged, never lost',
    async run(h) {
      await h.start();
      const a = Array.from({ length: 20 }, () => ({}));
      const seen = { 200: 0, 402: 0 };
      for (let run = 0; run < h.repeats; run++) {
        const { client, templateId: poison } = await h.owner(nestedSections(8), { credits: 1 });
        const templateId = await h.template(client, letter);
        const failing = client.generate({ templateId: poison, data: { a } });
        await delay(Math.floor(h.random() * 120));
        const answer = await client.generate({ templateId });
        const failed = await failing;
        expect([200, 402].includes(answer.status), `the new request was answered ${answer.status}`);
        expect([400, 402].includes(failed.status), `the failing request was answered ${failed.status}`);
        seen[answer.status as 200 | 402] += 1;
        expectEqual((await client.quotas()).docs, answer.status === 200 ? 0 : 1, 'the credits left');
      }
      expect(h.repeats < 20 || (seen[200] > 0 && seen[402] > 0), `one outcome only: ${JSON.stringify(seen)}`);
    },
  },
];
