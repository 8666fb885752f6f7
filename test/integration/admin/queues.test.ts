import { expect, inject, it } from 'vitest';
import { suspendAccount } from '../../../src/shared/domain/accounts/suspend-account.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import { addPause } from '../../../src/shared/domain/pauses.ts';
import { pinTemplate } from '../../../src/shared/domain/templates/pin-template.ts';
import { reportWorker } from '../../../src/shared/domain/workers.ts';
import { newId } from '../../../src/shared/ids.ts';
import { createQueues } from '../../../src/shared/queue/queues.ts';
import { claimed, documentRequest, newAccount } from '../../support/domain/accounts.ts';
import { newBatch } from '../../support/domain/batches.ts';
import { claimedDelivery, newDelivery } from '../../support/domain/deliveries.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newPrefix, silent, useRedis } from '../../support/services/redis.ts';
import { adminOn, runAdmin } from './run-admin.ts';

interface Queue {
  readonly queue: string;
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly inPerMinute: number | null;
}

interface Answer {
  readonly queues: readonly Queue[];
  readonly accounts: readonly { readonly accountId: string; readonly waiting: number }[];
}

const objects = { put: async () => undefined };
const { db, pool, url } = await useOwnDatabase();
const admin = (...line: string[]): Promise<Answer> => adminOn({ db, url })('queues', ...line);
const queueOf = (answer: Answer, name: string): Queue | undefined => answer.queues.find(({ queue }) => queue === name);

it('the command counts waiting work by queue and account, with pauses, pins, workers and rates', async () => {
  const [busy, other] = [await newAccount(db, { docs: 50 }), await newAccount(db, { docs: 50 })];
  const requests = Array.from({ length: 4 }, () => documentRequest(busy.templateId));
  for (const request of requests) await acceptDocument(db, busy.accountId, request);
  await pool.query(`update generations set accepted_at = now() - interval '60 seconds' where id = $1`, [
    requests[1]?.id,
  ]);
  await claimed(db, requests[0]?.id ?? '');
  await acceptDocument(db, other.accountId, documentRequest(other.templateId, { format: 'pdf' }));
  await pinTemplate(db, { templateId: other.templateId, engine: '25.2' });
  await newBatch(db, objects, other, { rows: [{}, {}] });
  await newBatch(db, objects, other, { rows: [{}], format: 'pdf' });
  const bundling = await newBatch(db, objects, other, { rows: [{}] });
  await pool.query(`update batches set status = 'bundling' where id = $1`, [bundling.batchId]);
  const [due, sending, later] = [await newDelivery(db), await newDelivery(db), await newDelivery(db)];
  await claimedDelivery(db, sending.id);
  await pool.query(`update deliveries set next_attempt_at = now() + interval '1 hour' where id = $1`, [later.id]);
  await pool.query(
    `insert into webhook_endpoints (id, account_id, kind, url, events, status, secret, created_at, updated_at)
      values ('whk_1', $1, 'endpoint', 'https://example.com', '[]', 'enabled', 's', now(), now())`,
    [due.accountId],
  );
  await pool.query(
    `insert into webhook_events (id, account_id, type, data, created_at) values ('evt_1', $1, 'document.succeeded', '{}', now())`,
    [due.accountId],
  );
  await pool.query(
    `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, target, status, created_at, next_attempt_at)
      values ($1, $2, 'evt_1', 'whk_1', 't', 'pending', now(), now() - interval '1 minute')`,
    [newId('whd'), due.accountId],
  );
  await addPause(db, 'queue:docx', false);
  await addPause(db, `account:${busy.accountId}`, false);
  await suspendAccount(db, other.accountId);
  const worker = { host: 'a', pid: 1, release: '1', jobs: {}, recent: { docx: { ended: 60, failed: 4 } } };
  await reportWorker(db, { ...worker, workerId: newId('wrk'), queues: ['docx', 'pdf', 'pdf@25.2'] });
  const lost = newId('wrk');
  await reportWorker(db, { ...worker, workerId: lost, queues: ['docx'] });
  await pool.query(`update workers set seen_at = now() - interval '1 minute' where id = $1`, [lost]);

  const answer = await admin();
  expect(queueOf(answer, 'docx')).toEqual({
    queue: 'docx',
    waiting: 3,
    delayed: 0,
    inProgress: 1,
    oldestSeconds: expect.any(Number),
    // Three e-mailed documents were accepted, too.
    inPerMinute: 3.5,
    outPerMinute: 30,
    failedPerMinute: 2,
    isPaused: true,
    workers: 1,
    jobs: null,
    missingJobs: null,
  });
  expect(queueOf(answer, 'docx')?.oldestSeconds).toBeGreaterThanOrEqual(60);
  // The only PDF belongs to a pinned template.
  const idle = { waiting: 0, oldestSeconds: 0, inPerMinute: 0, isPaused: false, workers: 1 };
  expect(queueOf(answer, 'pdf')).toMatchObject(idle);
  expect(queueOf(answer, 'pdf@25.2')).toMatchObject({ waiting: 1, workers: 1, inPerMinute: 0.5 });
  expect(queueOf(answer, 'docx-batch')).toMatchObject({ waiting: 2, inProgress: 0, workers: 0, inPerMinute: 1.5 });
  expect(queueOf(answer, 'pdf-batch@25.2')).toMatchObject({ waiting: 1, inPerMinute: 0.5 });
  expect(queueOf(answer, 'pdf-batch')).toMatchObject({ waiting: 0, inPerMinute: 0 });
  // Arrivals in these queues are counted in Redis, which was not queried.
  expect(queueOf(answer, 'mail')).toMatchObject({ waiting: 1, delayed: 1, inProgress: 1, inPerMinute: null });
  expect(queueOf(answer, 'inspect')).toMatchObject({ inPerMinute: null });
  expect(queueOf(answer, 'webhook')).toMatchObject({ waiting: 1, inPerMinute: 0.5 });
  expect(queueOf(answer, 'bundle')).toMatchObject({ waiting: 1, inProgress: 0 });
  expect(answer).toMatchObject({ isComplete: true, redis: 'not read: REDIS_URL is not set' });
  expect(answer.accounts.slice(0, 2)).toEqual([
    expect.objectContaining({
      accountId: other.accountId,
      waiting: 5,
      isPaused: false,
      suspendedAt: expect.any(Date),
      queues: { bundle: 1, 'docx-batch': 2, 'pdf-batch@25.2': 1, 'pdf@25.2': 1 },
    }),
    expect.objectContaining({
      accountId: busy.accountId,
      waiting: 3,
      inProgress: 1,
      isPaused: true,
      suspendedAt: null,
    }),
  ]);
  expect((await admin('--top', '1')).accounts.map(({ accountId }) => accountId)).toEqual([other.accountId]);
  const one = await admin('--account', busy.accountId);
  expect(one.accounts).toMatchObject([{ accountId: busy.accountId, waiting: 3, queues: { docx: 3 } }]);
  // The counts of queues include all accounts.
  expect(queueOf(one, 'mail')).toMatchObject({ waiting: 1 });
  const { accountId } = await newAccount(db, { docs: 1 });
  expect((await admin('--account', accountId)).accounts).toMatchObject([{ accountId, waiting: 0, queues: {} }]);
  await expect(admin('--account', `acc_${'0'.repeat(26)}`)).rejects.toMatchObject({ code: 'not_found' });
  await expect(admin('--top', '0')).rejects.toThrow('--top');
});

it('the command shows the jobs in Redis, and how many documents have none', async () => {
  const account = await newAccount(db, { docs: 10 });
  const before = await admin();
  const waiting = queueOf(before, 'docx')?.waiting ?? 0;
  const requests = [documentRequest(account.templateId), documentRequest(account.templateId)];
  for (const request of requests) await acceptDocument(db, account.accountId, request);
  const [redis, prefix] = [await useRedis(), newPrefix()];
  const queues = createQueues(redis, prefix, silent);
  const documentId = requests[0]?.id ?? '';
  await queues.add('docx', documentId, { documentId, accountId: account.accountId, replyTo: null });
  const from = { accountId: account.accountId, replyTo: null };
  await queues.add('inspect', 'upl_1', { uploadId: 'upl_1', ...from });
  for (const id of ['prv_1', 'prv_2']) await queues.add('pdf', id, { documentId: id, ...from, isPreview: true });
  await queues.add('pdf', 'prv_3', { documentId: 'prv_3', ...from, isPreview: true }, { engine: '25.2' });
  for (const batchId of ['bat_1', 'bat_2', 'bat_3']) await queues.add('bundle', batchId, { batchId });
  await queues.add('mail', 'dlv_1', { deliveryId: 'dlv_1' });
  // Neither a retry nor a job that a sweep adds again is an arrival.
  await queues.add('mail', 'req_1', { deliveryId: 'dlv_1' }, { delay: 60_000 });
  await queues.addMany('mail', [{ jobId: 'dlv_2', payload: { deliveryId: 'dlv_2' } }]);
  await queues.close();
  const env = { DATABASE_URL: url, REDIS_URL: inject('redisUrl'), QUEUE_PREFIX: prefix };
  const { code, out, problem } = await runAdmin(['queues', '--account', account.accountId], env);
  expect({ code, problem }).toEqual({ code: 0, problem: '' });
  expect(out).toMatchObject({ redis: 'read' });
  const docx = queueOf(out as unknown as Answer, 'docx');
  // One other document is in progress, also without a job.
  expect(docx).toMatchObject({
    waiting: waiting + 2,
    jobs: { waiting: 1, active: 0, delayed: 0 },
    missingJobs: waiting + 2,
  });
  const rates = (out as unknown as { queues: readonly { queue: string; inPerMinute: number | null }[] }).queues;
  const pdfs = queueOf(before, 'pdf')?.inPerMinute ?? 0;
  const pinned = queueOf(before, 'pdf@25.2')?.inPerMinute ?? 0;
  expect(Object.fromEntries(rates.map(({ queue, inPerMinute }) => [queue, inPerMinute]))).toMatchObject({
    inspect: 0.5,
    pdf: pdfs + 1,
    'pdf@25.2': pinned + 0.5,
    bundle: 1.5,
    mail: 0.5,
  });
  expect(rates.every(({ inPerMinute }) => inPerMinute !== null)).toBe(true);
  const down = await runAdmin(['queues'], { ...env, REDIS_URL: 'redis://127.0.0.1:1' });
  expect(down).toMatchObject({ code: 0, out: { redis: expect.stringContaining('not read: ') } });
  expect(queueOf(down.out as unknown as Answer, 'docx')).toMatchObject({ waiting: waiting + 2, jobs: null });
});

it('a document of any account is found by its id, with its account and state, and without its data', async () => {
  const { accountId, templateId } = await newAccount(db, { docs: 1 });
  const request = documentRequest(templateId, { format: 'pdf' });
  await acceptDocument(db, accountId, request);
  const found: object = await adminOn({ db, url })<object>('show-document', '--document', request.id);
  expect(found).toMatchObject({
    documentId: request.id,
    accountId,
    templateId,
    status: 'queued',
    format: 'pdf',
    error: null,
  });
  expect(Object.keys(found)).not.toContain('filename');
});
