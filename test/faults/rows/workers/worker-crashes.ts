import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findOrphans } from '../../checks/leftovers.ts';
import { acceptedMails } from '../../checks/mail.ts';
import { letter } from '../../client/templates.ts';
import type { FailpointName } from '../../harness/failpoints.ts';
import type { Harness } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const email = { to: ['ada@sink.test'] };

/** Kills a worker at a failpoint while another one runs; the client gets its document normally. */
async function killIn(h: Harness, window: FailpointName, withMail: boolean): Promise<void> {
  await h.start();
  const { client, templateId } = await h.owner(letter, { credits: 5 });
  await h.startWorker();
  const point = h.arm(window, 'kill');
  const answer = await client.generate({ templateId, ...(withMail ? { email } : {}) });
  await point.reached();
  expectEqual(answer.status, 200, 'the answer');
  await h.settled();
  expectEqual(await h.statuses(client.account.accountId), { succeeded: 1 }, 'the documents');
  expectEqual((await client.quotas()).docs, 4, 'the credits left');
  if (withMail) {
    const id = answer.headers.get('Email-Delivery-Id') ?? '';
    expectEqual((await client.delivery(id)).status, 'sent', 'the delivery');
    expectEqual(acceptedMails(h).filter(({ deliveryId }) => deliveryId === id).length, 1, 'mails of the delivery');
  }
}

export const workerCrashRows: readonly Row[] = [
  {
    id: 'W1',
    title: 'kill -9 worker mid-render',
    story: 'SIGKILL after the claim, then again after the render: another worker runs the job; 200, one credit each',
    isQuick: true,
    async run(h) {
      await killIn(h, 'after-claim', false);
      await h.startWorker();
      const { client, templateId } = await h.owner(letter);
      const point = h.arm('after-render', 'kill');
      expectEqual((await client.generate({ templateId })).status, 200, 'the answer after the render');
      await point.reached();
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
      await until('LibreOffice of the killed worker dying with it', () => findOrphans(h).length === 0, 15_000);
      await h.startPdfWorker();
      expectEqual((await pending).status, 200, 'the answer');
      const left = readdirSync(h.officeFolder).filter((name) => name.includes(`pool-${worker.pid}-`));
      expectEqual(left, [], 'folders of the killed worker');
    },
  },
  {
    id: 'W3',
    title: 'kill -9 after the S3 PUT, before the commit',
    story: 'SIGKILL between the two: the second attempt wins; one object is kept, the other is deleted',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter);
      await h.startWorker();
      const point = h.arm('result-stored-before-settle', 'kill');
      const answer = await client.generate({ templateId, key: 'w3' });
      await point.reached();
      expectEqual(answer.status, 200, 'the answer');
      const folder = join(h.backing.s3.objectsFolder, 'results', account.accountId);
      await until('the object of the lost attempt being collected', () => countObjects(folder) === 1, 20_000);
      expectEqual((await client.generate({ templateId, key: 'w3' })).status, 200, 'the replay');
    },
  },
  {
    id: 'W4',
    title: 'kill -9 after the settlement, before the acknowledgement',
    story: 'SIGKILL after the settlement, then again after the reply to the API: no second charge, no second mail',
    async run(h) {
      await killIn(h, 'settled-before-publish', true);
      await h.startWorker();
      const { client, templateId } = await h.owner(letter);
      const point = h.arm('published-before-ack', 'kill');
      expectEqual((await client.generate({ templateId, email })).status, 200, 'the answer after the word');
      await point.reached();
    },
  },
  {
    id: 'W5',
    title: 'kill -9 at every attempt',
    story: 'Every worker that runs the document dies: after four it fails as worker_lost, its credit is refunded',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 3 });
      const point = h.arm('after-claim', 'kill', 9);
      const pending = client.generate({ templateId });
      let isOver = false;
      void pending.then(() => {
        isOver = true;
      });
      let deaths = 0;
      while (!isOver) {
        await Promise.race([pending, point.reached(deaths + 1)]);
        if (isOver) break;
        deaths += 1;
        // It may die before it has reported that it is ready.
        await h.startWorker().catch(() => undefined);
      }
      const answer = await pending;
      expectEqual([answer.status, answer.headers.get('Error-Code')], [500, 'worker_lost'], 'the answer');
      expect(deaths <= 4, `the document took ${deaths} workers down`);
      expectEqual(await h.statuses(account.accountId), { failed: 1 }, 'the documents');
      expectEqual((await client.quotas()).docs, 3, 'the credits left');
    },
  },
  {
    id: 'W6',
    title: 'SIGSTOP for three times the job lock, then SIGCONT',
    story: 'Another worker takes over the document; the stopped one resumes, is fenced and changes nothing',
    isQuick: true,
    async run(h) {
      const { worker } = await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 3 });
      const point = h.arm('after-render', 'hang');
      const pending = client.generate({ templateId, email });
      await point.reached();
      worker.signal('SIGSTOP');
      await h.startWorker();
      const answer = await pending;
      expectEqual(answer.status, 200, 'the answer');
      worker.signal('SIGCONT');
      point.release();
      await until('the stale attempt being fenced', () => worker.log().includes('a stale attempt was fenced'));
      await h.settled();
      expectEqual(await h.statuses(account.accountId), { succeeded: 1 }, 'the documents');
      expectEqual((await client.quotas()).docs, 2, 'the credits left');
      const id = answer.headers.get('Email-Delivery-Id');
      expectEqual(acceptedMails(h).filter(({ deliveryId }) => deliveryId === id).length, 1, 'mails of the delivery');
    },
  },
];

function countObjects(folder: string): number {
  if (!existsSync(folder)) return 0;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('_object'));
  expect(files.length > 0, 'no object of the account is stored');
  return files.length;
}
