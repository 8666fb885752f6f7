import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deleteAccount } from '../../../src/api/erasure/delete-account.ts';
import { eraseDocuments } from '../../../src/api/erasure/erase-documents.ts';
import { eraseRecipient } from '../../../src/api/erasure/erase-recipient.ts';
import { rewriteRedisLog } from '../../../src/api/erasure/rewrite-redis-log.ts';
import type { Stores } from '../../../src/api/erasure/stores.ts';
import { openRedis, redisReady } from '../../../src/shared/queue/redis.ts';
import { newAccount } from '../../support/domain/accounts.ts';
import { newBatch } from '../../support/domain/batches.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { silent, startOwnRedis } from '../../support/services/redis.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';

const { db, pool, url } = await useOwnDatabase();

it('an address is erased from rows, input, private data and Redis of a batch; the rest stays until the account is deleted', async () => {
  const deps = await newWorkerDeps(db, url);
  const { redis, queues, objects, config, transient } = deps;
  const stores: Stores = { db, redis, queues, objects, prefix: config.QUEUE_PREFIX };
  const account = await newAccount(db, { docs: 10 });
  const rows = [
    { mail: 'ida@inbox.example', word: 'one' },
    { mail: 'jo.ida@inbox.example', word: 'two' },
    { word: 'x', to: { at: 'IDA@INBOX.example' } },
  ];
  const { batchId, documentIds } = await newBatch(db, objects, account, { rows });
  const inputKey = `batches/${account.accountId}/${batchId}/input`;
  const emailOf = (to: string) => ({ to: [to], cc: [], bcc: [], subject: null, body: null });
  const mails = [1, 2].map((row) => JSON.stringify({ row, password: null, email: emailOf(rows[row - 1]?.mail ?? '') }));
  await objects.put(`${inputKey}-private`, Buffer.from(`${mails.join('\n')}\n`), 'application/x-ndjson');
  await transient.put('data', documentIds[0] ?? '', Buffer.from(JSON.stringify(rows[0])), 600);
  await pool.query(`update generations set filename = 'for ida@inbox.example.docx' where id = $1`, [documentIds[0]]);

  const result = await eraseRecipient(stores, 'Ida@inbox.example', undefined);
  expect(result.documents).toBe(2);
  const read = async (key: string) => {
    let text = '';
    for await (const chunk of (await objects.getStream(key)) ?? []) text += chunk.toString('utf8');
    return text;
  };
  const input = (await read(inputKey)).split('\n').slice(0, 3);
  expect(input.map((line) => JSON.parse(line))).toEqual([{}, rows[1], {}]);
  expect(await read(`${inputKey}-private`)).toBe(`${mails[1]}\n`);
  expect(await transient.has('data', documentIds[0] ?? '')).toBe(false);
  const { rows: documents } = await pool.query(
    `select status, filename, erased_at is not null as erased from generations
      join batch_rows on generation_id = id where batch_rows.batch_id = $1 order by batch_rows.row`,
    [batchId],
  );
  expect(documents.map(({ status, erased }) => [status, erased])).toEqual([
    ['cancelled', true],
    ['queued', false],
    ['cancelled', true],
  ]);
  expect(documents[0]).toMatchObject({ filename: 'erased.docx' });
  expect((await eraseRecipient(stores, 'ida@inbox.example', undefined)).documents).toBe(0);

  await deleteAccount(stores, account.accountId, 'test');
  expect(await read(inputKey)).toBe('');
  expect((await pool.query('select 1 from generations union all select 1 from batches')).rows).toEqual([]);
});

it('a document that waits for a pinned engine is erased without that engine', async () => {
  const deps = await newWorkerDeps(db, url);
  const { redis, queues, objects, config } = deps;
  const stores: Stores = { db, redis, queues, objects, prefix: config.QUEUE_PREFIX };
  const account = await newAccount(db, { docs: 10 });
  const { documentIds } = await newBatch(db, objects, account, { rows: [{}], format: 'pdf', areSingles: true });
  const [id = ''] = documentIds;
  const payload = { documentId: id, accountId: account.accountId, replyTo: null };
  await queues.add('pdf', id, payload, { engine: '3.5' });
  expect(await queues.has('pdf', id)).toBe(true);

  expect(await eraseDocuments(stores, [id])).toBe(1);
  expect(await queues.has('pdf', id)).toBe(false);
});

it('the webhook jobs of a deleted account are removed, those of others stay', async () => {
  const deps = await newWorkerDeps(db, url);
  const { redis, queues, objects, config } = deps;
  const stores: Stores = { db, redis, queues, objects, prefix: config.QUEUE_PREFIX };
  const [{ accountId }, other] = [await newAccount(db, { docs: 1 }), await newAccount(db, { docs: 1 })];
  await queues.add('webhook', 'waiting.1', { accountId });
  await queues.add('webhook', 'delayed.1', { accountId }, { delay: 3_600_000 });
  await queues.add('webhook', 'other.1', { accountId: other.accountId }, { delay: 3_600_000 });
  await deleteAccount(stores, accountId, 'test');
  expect(await queues.findMissing('webhook', ['waiting.1', 'delayed.1', 'other.1'])).toEqual([
    'waiting.1',
    'delayed.1',
  ]);
});

it('removed data leaves the append-only file of Redis', async () => {
  const port = await startOwnRedis();
  const redis = openRedis({ REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_CLUSTER: false }, 'commands', silent);
  onTestFinished(() => redis.disconnect());
  await redisReady(redis, 10_000);
  const [, dir = ''] = (await redis.config('GET', 'dir')) as string[];
  const [, folder = ''] = (await redis.config('GET', 'appenddirname')) as string[];
  const log = async (): Promise<string> => {
    const names = await readdir(join(dir, folder));
    const files = await Promise.all(names.map((name) => readFile(join(dir, folder, name), 'latin1').catch(() => '')));
    return files.join('');
  };
  await redis.set('key', 'data of a request');
  await expect.poll(log).toContain('data of a request');
  await redis.unlink('key');
  expect(await rewriteRedisLog(redis)).toBe('rewriting');
  await expect.poll(log, { timeout: 30_000 }).not.toContain('data of a request');

  await redis.config('SET', 'appendonly', 'no');
  expect(await rewriteRedisLog(redis)).toBe('none');
});
