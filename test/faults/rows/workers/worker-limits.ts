import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { letter, nestedSections } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { tally } from '../../harness/harness.ts';
import { residentBytes } from '../../harness/measure.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const twenty = Array.from({ length: 20 }, (_, index) => ({ n: index }));

/** Half a million letters, printed a hundred times: a hundred megabytes of output from one megabyte of data. */
const amplified = { a: twenty.slice(0, 10).map((item) => ({ ...item })), text: '\u0436'.repeat(500_000) };
const amplifier = buildDocx({ body: paragraph('{canary} {order} {#a}{#a}{text}{/a}{/a}') });

/** Eight nested sections over twenty items would run 20^8 times. */
async function poisonOwner(h: Harness): Promise<Owner> {
  return h.owner(nestedSections(8), { credits: 500 });
}

function poison({ client, templateId }: Owner) {
  const a = twenty.map((item) => ({ ...item }));
  return client.generate({ templateId, data: { a } });
}

export const workerLimitRows: readonly Row[] = [
  {
    id: 'W7',
    title: 'event loop blocked for three times the job lock',
    story:
      'A worker blocked for 9 s loses its lock: another one delivers, the blocked one is fenced. A malicious template fails as render_limit and delays no other job',
    async run(h) {
      await h.start();
      const owner = await poisonOwner(h);
      const answer = await poison(owner);
      expectEqual([answer.status, answer.headers.get('Error-Code')], [400, 'render_limit'], 'the poison');
      expect(answer.durationMs < 6_000, `the poison took ${Math.round(answer.durationMs)} ms`);
      expectEqual((await owner.client.quotas()).docs, 500, 'the credits left');
      const { client, account, templateId } = await h.owner(letter);
      const point = h.arm('after-claim', { block: 9_000 });
      const pending = client.generate({ templateId });
      await point.reached();
      const blocked = h.workers[0];
      await h.startWorker();
      expectEqual((await pending).status, 200, 'the answer');
      await until('the blocked attempt ending', () => blocked?.log().includes('"msg":"job"'));
      expectEqual(await h.statuses(account.accountId), { succeeded: 1 }, 'the documents');
    },
  },
  {
    id: 'W10',
    title: 'unhandled rejection in the processor',
    story: 'The worker exits and is restarted: the document is produced once',
    async run(h) {
      const { worker } = await h.start();
      const { client, account, templateId } = await h.owner(letter);
      worker.isExpectedToEnd = true;
      const point = h.arm('after-claim', 'reject');
      const pending = client.generate({ templateId });
      await point.reached();
      await until('the worker ending or living on', () => worker.exit !== undefined, 3_000).catch(() => undefined);
      if (worker.exit !== undefined) await h.startWorker();
      expectEqual((await pending).status, 200, 'the answer');
      expectEqual(await h.statuses(account.accountId), { succeeded: 1 }, 'the documents');
    },
  },
  {
    id: 'W11',
    title: 'render thread out of memory',
    story:
      'Data too large for a 64 MB heap: render_limit, nothing charged, the memory of the worker stays the same, the next job succeeds',
    async run(h) {
      const { worker } = await h.start({ worker: { env: { RENDER_HEAP_MB: '64' } } });
      const { client, templateId } = await h.owner(amplifier, { credits: 5 });
      expectEqual((await client.generate({ templateId, data: { a: [], text: '' } })).status, 200, 'a small document');
      const before = residentBytes(worker.pid);
      const answer = await client.generate({ templateId, data: amplified });
      expectEqual([answer.status, answer.headers.get('Error-Code')], [400, 'render_limit'], 'the large document');
      expectEqual((await client.generate({ templateId, data: { a: [], text: '' } })).status, 200, 'the next document');
      expectEqual((await client.quotas()).docs, 3, 'the credits left');
      await until(
        'the worker being as small as before',
        () => residentBytes(worker.pid) < before * 1.2 + 96 * 1024 * 1024,
      );
    },
  },
  {
    id: 'W12',
    title: 'malicious and good jobs of two accounts',
    story:
      '50 malicious and 50 good documents at once: every good one is delivered, every malicious one gets a coded 400 and is not charged',
    async run(h) {
      await h.start({ worker: { env: { RENDER_PROCESSES: '2' } } });
      const bad = await poisonOwner(h);
      const good = await h.owner(letter, { credits: 60 });
      const [poisoned, delivered] = await Promise.all([
        Promise.all(Array.from({ length: 50 }, () => poison(bad))),
        Promise.all(Array.from({ length: 50 }, () => good.client.generate({ templateId: good.templateId }))),
      ]);
      expectEqual(tally(delivered), { 200: 50 }, 'the good answers');
      expectEqual(tally(poisoned), { 400: 50 }, 'the poison answers');
      expectEqual((await bad.client.quotas()).docs, 500, 'the credits of the poisoner');
    },
  },
];
