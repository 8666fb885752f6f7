import { setTimeout as delay } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { acceptedMails } from '../../checks/mail.ts';
import type { Answer } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import type { S3Fault } from '../../harness/s3-gateway.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

/** Injects a fault into the requests of a method for objects of a kind. */
function breakAll(h: Harness, fault: S3Fault, broken: 'GET' | 'PUT', kind = ''): void {
  h.backing.s3.gateway.decide(({ method, path }) => (method === broken && path.includes(kind) ? fault : 'pass'));
}

function code(answer: Answer): readonly [number, string | null] {
  return [answer.status, answer.headers.get('Error-Code')];
}

async function refusedAndFree({ client, templateId }: Owner, what: string): Promise<void> {
  const { docs } = await client.quotas();
  expectEqual(code(await client.generate({ templateId })), [503, 'unavailable'], what);
  expectEqual((await client.quotas()).docs, docs, 'the credits left');
}

/** A stored document is delivered to its caller and its recipients completely or not at all. */
async function resultNeverDamaged(h: Harness, fault: S3Fault): Promise<void> {
  const owner = await h.owner(letter, { credits: 5 });
  const ask = () => owner.client.generate({ ...owner, key: 'kept', email: { to: ['ada@sink.test'] } });
  expectEqual((await ask()).status, 200, 'the answer');
  breakAll(h, fault, 'GET', '/results/');
  expectEqual(code(await ask()), [503, 'unavailable'], `the replay when every read of the result is ${fault}`);
  h.backing.s3.gateway.heal();
  const answer = await ask();
  expectEqual(answer.status, 200, 'the replay with S3 well');
  await h.settled();
  const id = answer.headers.get('Email-Delivery-Id');
  const [mail, ...others] = acceptedMails(h).filter(({ deliveryId }) => deliveryId === id);
  expectEqual(others.length, 0, 'other mails');
  const content = (await PostalMime.parse(mail?.raw ?? '')).attachments[0]?.content;
  expect(content instanceof ArrayBuffer && Buffer.from(content).equals(answer.body), 'the attachment is another one');
  await h.expectCharged(owner, { succeeded: 1 }, 4);
}

export const storageRows: readonly Row[] = [
  {
    id: 'S1',
    title: 'S3 down, silent or full',
    story: 'Retried, then 503 and nothing charged, for documents and uploads; both work when it is back',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 5 });
      const upload = () => owner.client.upload('other.docx', letter);
      await h.backing.s3.proxy.refuse();
      await refusedAndFree(owner, 'the answer without S3');
      expectEqual(code(await upload()), [503, 'unavailable'], 'the upload without S3');
      await h.backing.s3.proxy.heal();
      expectEqual((await owner.client.generate(owner)).status, 200, 'the answer with S3');
      h.backing.s3.gateway.decide(() => 'hang');
      expectEqual(code(await upload()), [503, 'unavailable'], 'the upload to a silent S3');
      breakAll(h, 'full', 'PUT');
      expectEqual(code(await upload()), [503, 'unavailable'], 'the upload to a full S3');
      expectEqual(code(await owner.client.generate({ ...owner, key: 's1' })), [503, 'unavailable'], 'a kept document');
      h.backing.s3.gateway.heal();
      expectEqual((await owner.client.generate({ ...owner, key: 's1' })).status, 200, 'the same order again');
      expectEqual((await owner.client.quotas()).docs, 3, 'the credits left');
    },
  },
  {
    id: 'S2',
    title: 'S3 down at the PUT of the result',
    story: 'Retried while the worker runs; after 4 s of outage the document is delivered for one credit',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 5 });
      const ask = () => owner.client.generate({ ...owner, key: 's2' });
      const point = h.arm('after-render', 'hang');
      const pending = ask();
      await point.reached();
      await h.backing.s3.proxy.refuse();
      point.release();
      await delay(4_000);
      await h.backing.s3.proxy.heal();
      const { status } = await pending;
      expect(status === 200 || status === 503, `the answer is ${status}`);
      expectEqual((await ask()).status, 200, 'the same order again');
      expectEqual((await h.statuses(owner.account.accountId)).succeeded, 1, 'the documents');
      expectEqual((await owner.client.quotas()).docs, 4, 'the credits left');
    },
  },
  {
    id: 'S3',
    title: '200 with half a body, or a damaged one, at every read',
    story: 'Detected by length or SHA-256: 503, and no damaged byte is rendered, downloaded, replayed or sent',
    async run(h) {
      await h.start();
      for (const fault of ['cut', 'damage'] as const) {
        const owner = await h.owner(letter, { credits: 5 });
        breakAll(h, fault, 'GET', '/templates/');
        await refusedAndFree(owner, `the answer when every read is ${fault}`);
        const download = await owner.client.call('GET', `/v1/templates/${owner.templateId}/content`);
        expectEqual(code(download), [503, 'unavailable'], `the download when every read is ${fault}`);
        h.backing.s3.gateway.heal();
        await resultNeverDamaged(h, fault);
      }
    },
  },
  {
    id: 'S5',
    title: 'kill -9 of the API after the PUT of a template',
    story: 'The sweep removes the object without a row, and no other',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 5 });
      await owner.client.generate({ ...owner, key: 's5' });
      const dying = await h.killIn('after-object-put-before-row', () => owner.client.upload('lost.docx', letter));
      expectEqual(dying.status, 0, 'the answer of the dying API');
      await h.startApi();
      const count = (): number => h.objectsOf(owner, 'templates', 'results').length;
      await until('the object without a row being collected', () => count() === 2);
    },
  },
];
