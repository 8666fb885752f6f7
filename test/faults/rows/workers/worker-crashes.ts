import { readdirSync } from 'node:fs';
import { findOrphans } from '../../checks/leftovers.ts';
import { acceptedMails } from '../../checks/mail.ts';
import { letter } from '../../client/templates.ts';
import type { FailpointName } from '../../harness/failpoints.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const email = { to: ['ada@sink.test'] };

/**
 * Kills a worker in each window while another one runs: each client gets its document normally, and its e-mail once.
 */
async function killInEach(h: Harness, windows: readonly FailpointName[]): Promise<Owner> {
  await h.start();
  const owner = await h.owner(letter, { credits: 5 });
  for (const [index, window] of windows.entries()) {
    await h.startWorker();
    const answer = await h.killIn(window, () => owner.client.generate({ ...owner, key: window, email }));
    expectEqual(answer.status, 200, `the answer when a worker dies at ${window}`);
    await h.settled();
    await h.expectCharged(owner, { succeeded: index + 1 }, 4 - index);
    await expectMailedOnce(h, answer.headers.get('Email-Delivery-Id'));
  }
  return owner;
}

async function expectMailedOnce(h: Harness, id: string | null): Promise<void> {
  expectEqual(acceptedMails(h).filter(({ deliveryId }) => deliveryId === id).length, 1, 'mails of the delivery');
}

export const workerCrashRows: readonly Row[] = [
  {
    id: 'W1',
    title: 'kill -9 worker around a document',
    story:
      'SIGKILL after the claim, then after the settlement: another worker runs the job; 200, one credit and one mail each',
    set: 'usual',
    async run(h) {
      await killInEach(h, ['after-claim', 'settled-before-publish']);
    },
  },
  {
    id: 'W2',
    title: 'kill -9 worker mid-soffice',
    story:
      'SIGKILL while LibreOffice converts: another worker finishes; LibreOffice dies too; the next start removes its files',
    async run(h) {
      const { worker } = await h.start({ pdf: true });
      const { client, templateId } = await h.owner(letter);
      const point = h.arm('pdf-written', 'hang');
      const pending = client.generate({ templateId, format: 'pdf' });
      await point.reached();
      await worker.kill();
      point.release();
      await until('LibreOffice of the killed worker dying with it', () => findOrphans(h).length === 0);
      await h.startPdfWorker();
      expectEqual((await pending).status, 200, 'the answer');
      const left = readdirSync(h.officeFolder).filter((name) => name.includes(`pool-${worker.pid}-`));
      expectEqual(left, [], 'folders of the killed worker');
    },
  },
  {
    id: 'W3',
    title: 'kill -9 worker in the other windows of a document',
    story: 'After the render, between object and settlement, after the reply: as W1; of two objects one is kept',
    async run(h) {
      const windows = ['after-render', 'result-stored-before-settle', 'published-before-ack'] as const;
      const owner = await killInEach(h, windows);
      const count = (): number => h.objectsOf(owner, 'results').length;
      await until('the object of the lost attempt being collected', () => count() === windows.length);
      for (const key of windows) expectEqual((await owner.client.generate({ ...owner, key, email })).status, 200, key);
    },
  },
  {
    id: 'W5',
    title: 'kill -9 at every attempt',
    story: 'Every worker that runs the document dies: after four it fails as worker_lost, its credit is refunded',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 3 });
      const point = h.arm('after-claim', 'kill', 9);
      let isOver = false;
      const pending = owner.client.generate(owner).finally(() => {
        isOver = true;
      });
      let deaths = 0;
      for (;;) {
        await Promise.race([pending, point.reached(deaths + 1)]);
        if (isOver) break;
        deaths += 1;
        // It may die before it has reported that it is ready.
        await h.startWorker().catch(() => undefined);
      }
      const answer = await pending;
      expectEqual([answer.status, answer.headers.get('Error-Code')], [500, 'worker_lost'], 'the answer');
      expect(deaths <= 4, `the document took ${deaths} workers down`);
      await h.expectCharged(owner, { failed: 1 }, 3);
    },
  },
  {
    id: 'W6',
    title: 'SIGSTOP for three times the job lock, then SIGCONT',
    story: 'Another worker takes over the document; the stopped one resumes, is fenced and changes nothing',
    set: 'extended',
    async run(h) {
      const { worker } = await h.start();
      const owner = await h.owner(letter, { credits: 3 });
      const point = h.arm('after-render', 'hang');
      const pending = owner.client.generate({ ...owner, email });
      await point.reached();
      worker.signal('SIGSTOP');
      await h.startWorker();
      const answer = await pending;
      expectEqual(answer.status, 200, 'the answer');
      worker.signal('SIGCONT');
      point.release();
      await until('the stale attempt being fenced', () => worker.log().includes('a stale attempt was fenced'));
      await h.settled();
      await h.expectCharged(owner, { succeeded: 1 }, 2);
      await expectMailedOnce(h, answer.headers.get('Email-Delivery-Id'));
    },
  },
  {
    id: 'W10',
    title: 'unhandled rejection in the processor',
    story: 'The worker exits and is restarted: the document is produced once',
    async run(h) {
      const { worker } = await h.start();
      const owner = await h.owner(letter);
      worker.isExpectedToEnd = true;
      const point = h.arm('after-claim', 'reject');
      const pending = owner.client.generate(owner);
      await point.reached();
      await until('the worker ending', () => worker.exit !== undefined);
      await h.startWorker();
      expectEqual((await pending).status, 200, 'the answer');
      await h.expectCharged(owner, { succeeded: 1 }, 999);
    },
  },
];
