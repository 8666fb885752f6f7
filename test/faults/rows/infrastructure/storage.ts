import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { acceptedMails } from '../../checks/mail.ts';
import type { Answer } from '../../client/client.ts';
import { letter, textOfDocx } from '../../client/templates.ts';
import { type Harness, type Owner, tally } from '../../harness/harness.ts';
import type { S3Fault, S3Request } from '../../harness/s3-gateway.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const isTemplateRead = ({ method, path }: S3Request): boolean => method === 'GET' && path.includes('/templates/');
const isResultRead = ({ method, path }: S3Request): boolean => method === 'GET' && path.includes('/results/');
const isResultWrite = ({ method, path }: S3Request): boolean => method === 'PUT' && path.includes('/results/');

/** Injects a fault into the first `count` requests of a kind, or into all without a count. */
function breakSome(h: Harness, fault: S3Fault, isMeant: (request: S3Request) => boolean, count = Infinity): void {
  let left = count;
  h.backing.s3.gateway.decide((request) => {
    if (!isMeant(request) || left <= 0) return 'pass';
    left -= 1;
    return fault;
  });
}

function objectsOf(h: Harness, accountId: string): string[] {
  return ['results', 'templates'].flatMap((kind) => {
    const folder = join(h.backing.s3.objectsFolder, kind, accountId);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('_object'));
  });
}

function code(answer: Answer): readonly [number, string | null] {
  return [answer.status, answer.headers.get('Error-Code')];
}

async function refusedAndFree({ client, templateId }: Owner, what: string): Promise<void> {
  const { docs } = await client.quotas();
  const answer = await client.generate({ templateId });
  expectEqual(code(answer), [503, 'unavailable'], what);
  expect(answer.durationMs < 20_000, `${what} took ${Math.round(answer.durationMs)} ms`);
  expectEqual((await client.quotas()).docs, docs, 'the credits left');
}

/** A stored document is delivered to its caller and its recipients completely or not at all. */
async function resultNeverDamaged(h: Harness, fault: 'cut' | 'damage'): Promise<void> {
  const { client, account, templateId } = await h.owner(letter, { credits: 5 });
  const ask = () => client.generate({ templateId, key: `s3-${fault}`, email: { to: ['ada@sink.test'] } });
  breakSome(h, fault, isResultRead, 2);
  expectEqual((await ask()).status, 200, `the answer after two reads of the result that were ${fault}`);
  breakSome(h, fault, isResultRead);
  expectEqual(code(await ask()), [503, 'unavailable'], `the replay when every read of the result is ${fault}`);
  h.backing.s3.gateway.heal();
  const answer = await ask();
  expectEqual(answer.status, 200, 'the replay with S3 well');
  await h.settled();
  const id = answer.headers.get('Email-Delivery-Id');
  const mails = acceptedMails(h).filter(({ deliveryId }) => deliveryId === id);
  const attached = await Promise.all(
    mails.map(async ({ raw }) => (await PostalMime.parse(raw)).attachments[0]?.content),
  );
  expectEqual(attached.length, 1, 'the mails');
  const bytes = attached[0] instanceof ArrayBuffer ? Buffer.from(attached[0]) : Buffer.alloc(0);
  expect(bytes.equals(answer.body), 'the attachment is not the document');
  expectEqual([await h.statuses(account.accountId), (await client.quotas()).docs], [{ succeeded: 1 }, 4], 'the charge');
}

export const storageRows: readonly Row[] = [
  {
    id: 'S1',
    title: 'S3 down at template fetch',
    story: 'Retried, then 503 and nothing charged; an upload gets its 503 within 5 s; both work when it is back',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 5 });
      await h.backing.s3.proxy.refuse();
      await refusedAndFree(owner, 'the answer without S3');
      const upload = await owner.client.upload('other.docx', letter);
      expectEqual(upload.status, 503, 'the upload without S3');
      expect(upload.durationMs < 5_000, `the refused upload took ${Math.round(upload.durationMs)} ms`);
      await h.backing.s3.proxy.heal();
      expectEqual((await owner.client.generate(owner)).status, 200, 'the answer with S3');
      breakSome(h, 'hang', () => true);
      const hung = await owner.client.upload('other.docx', letter);
      expectEqual(hung.status, 503, 'the upload to a silent S3');
      expect(hung.durationMs < 10_000, `the upload to a silent S3 took ${Math.round(hung.durationMs)} ms`);
    },
  },
  {
    id: 'S2',
    title: 'S3 down at the PUT of the result',
    story: 'Retried while the worker runs; after 4 s of outage the document is delivered for one credit',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 5 });
      const point = h.arm('after-render', 'hang');
      const pending = client.generate({ templateId, key: 's2' });
      await point.reached();
      await h.backing.s3.proxy.refuse();
      point.release();
      await delay(4_000);
      await h.backing.s3.proxy.heal();
      const answer = await pending;
      const again = answer.status === 200 ? answer : await client.generate({ templateId, key: 's2' });
      expectEqual([answer.status === 200 || answer.status === 503, again.status], [true, 200], 'the answers');
      expectEqual((await h.statuses(account.accountId)).succeeded, 1, 'the documents');
      expectEqual((await client.quotas()).docs, 4, 'the credits left');
    },
  },
  {
    id: 'S3',
    title: '200 with half a body, or a damaged one',
    story:
      'Detected by length or SHA-256 and read again; if it persists: 503, and no damaged byte is rendered or delivered',
    async run(h) {
      await h.start();
      for (const fault of ['cut', 'damage'] as const) {
        const owner = await h.owner(letter, { credits: 5 });
        breakSome(h, fault, isTemplateRead, 2);
        expectEqual((await owner.client.generate(owner)).status, 200, `the answer after two reads that were ${fault}`);
        const never = await h.owner(letter, { credits: 5 });
        breakSome(h, fault, isTemplateRead);
        await refusedAndFree(never, `the answer when every read is ${fault}`);
        const download = await never.client.call('GET', `/v1/templates/${never.templateId}/content`);
        expectEqual(download.status, 503, `the download when every read is ${fault}`);
        await resultNeverDamaged(h, fault);
      }
    },
  },
  {
    id: 'S4',
    title: '503 SlowDown on 30 % of requests for 20 s',
    story: 'Every request succeeds by backing off',
    async run(h) {
      const env = { S3_TIMEOUT_MS: '10000' };
      await h.start({ api: { env }, worker: { env } });
      const client = await h.account({ credits: 1_000, templates: 1_000 });
      h.backing.s3.gateway.decide(() => (h.random() < 0.3 ? 'slow-down' : 'pass'));
      const until20s = performance.now() + 20_000;
      const answers: Answer[] = [];
      while (performance.now() < until20s) {
        const templateId = await h.template(client, letter);
        answers.push(await client.generate({ templateId, key: `s4-${answers.length}` }));
      }
      expectEqual(tally(answers), { 200: answers.length }, 'the answers');
      expect(h.backing.s3.gateway.count('slow-down') > 10, 'too few requests were slowed down');
    },
  },
  {
    id: 'S5',
    title: 'PUT succeeded, its answer is lost',
    story: 'Written again under the same key: one object of the document, and no orphan after the sweep',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 5 });
      breakSome(h, 'lose-reply', isResultWrite, 2);
      expectEqual((await client.generate({ templateId, key: 's5' })).status, 200, 'the answer');
      expectEqual(h.backing.s3.gateway.count('lose-reply'), 2, 'answers lost');
      breakSome(h, 'lose-reply', ({ method, path }) => method === 'PUT' && path.includes('/templates/'), 1);
      await h.template(client, letter);
      const point = h.arm('after-object-put-before-row', 'kill');
      expectEqual((await client.upload('lost.docx', letter)).status, 0, 'the answer of the dying API');
      await point.reached();
      await h.startApi();
      await until(
        'the object without a row being collected',
        () => objectsOf(h, account.accountId).length === 3,
        20_000,
      );
    },
  },
  {
    id: 'S6',
    title: 'template overwritten or deleted while a document waits',
    story: 'The version at acceptance is used, also when the template is deleted and the sweep has run',
    async run(h) {
      await h.start();
      const version = (text: string): Buffer => buildDocx({ body: paragraph(`{canary} {order} ${text}`) });
      for (const change of ['overwritten', 'deleted'] as const) {
        const { client, account, templateId } = await h.owner(version('first'), { credits: 5 });
        const point = h.arm('after-claim', 'hang');
        const pending = client.generate({ templateId });
        await point.reached();
        const changed =
          change === 'deleted'
            ? await client.call('DELETE', `/v1/templates/${templateId}`)
            : await replace(client, templateId, version('second'));
        expect(changed.status === 200 || changed.status === 204, `the change was answered ${changed.status}`);
        if (change === 'deleted') await sweepTemplates(h, client);
        point.release();
        const answer = await pending;
        expectEqual(answer.status, 200, `the answer of a template that was ${change}`);
        expect(textOfDocx(answer.body)?.includes('first') === true, 'the document is not of the accepted version');
        const expected = change === 'deleted' ? 0 : 2;
        await until(
          'the files being those of living templates',
          () => objectsOf(h, account.accountId).length === expected,
        );
      }
    },
  },
];

/** After the deletion the sweep removes the file of an unused template and keeps the other. */
async function sweepTemplates(h: Harness, client: Owner['client']): Promise<void> {
  const { accountId } = client.account;
  const idle = await h.template(client, letter);
  expectEqual((await client.call('DELETE', `/v1/templates/${idle}`)).status, 204, 'the deletion of an idle template');
  await h.query("update templates set deleted_at = now() - interval '2 minutes' where account_id = $1", [accountId]);
  await until('the file of the idle template being collected', async () => {
    const rows = await h.query('select 1 from templates where id = $1', [idle]);
    return rows.length === 0;
  });
  expectEqual(objectsOf(h, accountId).length, 1, 'files that are kept');
}

function replace(client: Owner['client'], templateId: string, file: Buffer): Promise<Answer> {
  const form = new FormData();
  form.set('name', 'letter.docx');
  form.set('file', new Blob([new Uint8Array(file)]), 'letter.docx');
  return client.call('PUT', `/v1/templates/${templateId}/content`, { body: form });
}
