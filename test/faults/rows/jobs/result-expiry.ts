import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import type { Answer, Client } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import { type DatabaseClock, openDatabaseClock } from '../../harness/database-clock.ts';
import { type Harness, type Owner, tally } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const ttlSeconds = 600;

/** A letter with three megabytes of incompressible data. */
function heavyLetter(): Buffer {
  return buildDocx({
    body: paragraph('{canary} {order}'),
    parts: { 'word/media/noise.png': randomBytes(3 * 1024 * 1024) },
    rels: [{ id: 'rIdNoise', type: 'image', target: 'media/noise.png' }],
  });
}

async function startWithClock(h: Harness): Promise<DatabaseClock> {
  const clock = await openDatabaseClock(h);
  const env = { ...clock.env, RESULT_TTL_SECONDS: String(ttlSeconds), S3_TIMEOUT_MS: '20000' };
  await h.start({ api: { env }, worker: { env } });
  return clock;
}

/** Requests an asynchronous document and returns the path of its job when it is finished. */
async function requestForLater(h: Harness, { client, account, templateId }: Owner): Promise<string> {
  h.allowedUnanswered += 1;
  const answer = await client.call('POST', `/v1/templates/${templateId}/generate`, {
    headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
    body: JSON.stringify({ data: { canary: account.canary, order: 'later' } }),
  });
  expectEqual(answer.status, 202, 'the order');
  const path = answer.headers.get('Location') ?? '';
  await until('the job being done', async () => {
    const { body } = await client.call('GET', path);
    return (JSON.parse(body.toString()) as { status: string }).status === 'succeeded';
  });
  return path;
}

function fetchFile(client: Client, path: string): Promise<Answer> {
  return client.call('GET', `${path}/content`);
}

function objectsOf(h: Harness, accountId: string): string[] {
  const folder = join(h.backing.s3.objectsFolder, 'results', accountId);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('_object'));
}

async function passTtl(clock: DatabaseClock): Promise<void> {
  await clock.set(new Date((await clock.now()).getTime() + (ttlSeconds + 1) * 1_000));
}

export const resultExpiryRows: readonly Row[] = [
  {
    id: 'T6',
    title: 'result expires between poll and download',
    story: '404 with that reason; the object is deleted and the charge stays (410 is not in the contract)',
    async run(h) {
      const clock = await startWithClock(h);
      const owner = await h.owner(letter, { credits: 5 });
      const { client, account } = owner;
      const path = await requestForLater(h, owner);
      expectEqual((await fetchFile(client, path)).status, 200, 'the download in time');
      expectEqual(objectsOf(h, account.accountId).length, 1, 'objects in time');
      await passTtl(clock);
      await until('the removal of the object', () => objectsOf(h, account.accountId).length === 0);
      const late = await until('the answer that it is missing', async () => {
        const answer = await fetchFile(client, path);
        return answer.status === 200 ? undefined : answer;
      });
      expectEqual([late.status, late.headers.get('Error-Code')], [404, 'not_found'], 'the late download');
      expect(late.body.includes('expired'), 'the answer does not say that the file has expired');
      expectEqual((await client.quotas()).docs, 4, 'the credits left');
    },
  },
  {
    id: 'T7',
    title: 'sweep of expired results during downloads',
    story:
      '3 MB downloads that start before, at and after the expiry over a slow connection: complete by checksum, or 404',
    async run(h) {
      const clock = await startWithClock(h);
      const owner = await h.owner(heavyLetter(), { credits: 5 });
      const { client, account } = owner;
      const path = await requestForLater(h, owner);
      const first = await fetchFile(client, path);
      const digest = createHash('sha256').update(first.body).digest('hex');
      expectEqual([first.status, first.headers.get('ETag')], [200, `"${digest}"`], 'the download in time');
      h.backing.s3.proxy.set({ bytesPerSecond: 3 * 1024 * 1024 });
      const downloads = Array.from({ length: 4 }, () => fetchFile(client, path));
      await delay(200);
      await passTtl(clock);
      while (objectsOf(h, account.accountId).length > 0) {
        downloads.push(fetchFile(client, path));
        await delay(100);
      }
      downloads.push(fetchFile(client, path));
      const answers = await Promise.all(downloads);
      const { 200: whole = 0, 404: gone = 0 } = tally(answers);
      expectEqual(whole + gone, answers.length, 'answers 200 or 404');
      expect(whole >= 4 && gone >= 1, `one outcome only: ${JSON.stringify(tally(answers))}`);
      for (const { status, body } of answers)
        expect(status !== 200 || body.equals(first.body), `a download of ${body.length} bytes is not the document`);
    },
  },
];
