import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { byProgram, type RunLine } from '../../support/client/operator.ts';
import type { TestClient } from '../../support/client/service-under-test.ts';
import { fontVariables } from '../../support/fonts.ts';
import { patientLimits } from '../../support/services/local-stack.ts';
import { useOwnStack } from '../../support/services/own-stack.ts';
import { letter } from '../api/samples.ts';

const { line, newClient, readMetrics, runLine } = await useOwnStack();
const parsed = async <T>(run: RunLine, args: readonly string[]): Promise<T> =>
  JSON.parse(await run([...args, '--json'])) as T;
const admin = <T>(...args: string[]): Promise<T> => parsed(runLine, args);
/** Runs the program itself, which takes a second to start. */
const adminProgram = <T>(...args: string[]): Promise<T> => parsed(byProgram(line.env), args);
const resumeAll = async (): Promise<void> => void (await admin('resume', '--all'));

interface Job {
  readonly id: string;
  readonly status: string;
}

async function request(client: TestClient, templateId: string, format = 'docx'): Promise<string> {
  const body = { data: { name: 'Ada' }, output: { format } };
  const answer = await client.start(templateId, body);
  expect(answer.status).toBe(202);
  return `/v1/jobs/${answer.json<Job>().id}`;
}

const sendBatch = (
  client: TestClient,
  templateId: string,
  rows: number,
  headers: Readonly<Record<string, string>> = {},
) => {
  const items = Array.from({ length: rows }, (_, index) => ({ data: { name: `row ${index}` } }));
  return client.call('POST', `/v1/templates/${templateId}/batches`, { json: { items, bundle: 'none' }, headers });
};

const statusOf = async (client: TestClient, path: string): Promise<string> =>
  (await client.call('GET', path)).json<Job>().status;
const expectStatus = (client: TestClient, path: string) => expect.poll(() => statusOf(client, path));

/** Creates a client with a template. A worker checks the upload, so call this before anything is paused. */
async function newScene(docs = 20) {
  const client = await newClient({ docs });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  return { client, templateId: id };
}

const readyTexts = () =>
  Promise.all(
    line.metricsUrls.map(async (url) => {
      const answer = await fetch(new URL('/readyz', url));
      return { ...((await answer.json()) as { readonly paused?: object }), code: answer.status };
    }),
  );
/** Waits until every process knows what is paused, and is ready. */
const expectPaused = (paused: object) =>
  expect
    .poll(readyTexts)
    .toEqual(
      line.metricsUrls.map(() => expect.objectContaining({ code: 200, paused: expect.objectContaining(paused) })),
    );

test('documents of a paused queue wait, and are produced after it is resumed', async () => {
  const { client, templateId } = await newScene();
  expect(await adminProgram('pause', '--queue', 'docx')).toMatchObject({
    paused: [{ target: 'queue:docx', isRefusing: false }],
  });
  onTestFinished(resumeAll);
  await expectPaused({ queues: ['docx'], accounts: 0 });
  const job = await request(client, templateId);
  await expectStatus(client, await request(client, templateId, 'pdf')).toBe('succeeded');
  expect(await statusOf(client, job)).toBe('queued');
  const metrics = await readMetrics();
  expect(metrics).toContain('docmill_queue_paused{queue="docx"} 1');
  expect(metrics).toContain('docmill_queue_paused{queue="pdf"} 0');
  expect(await admin('resume', '--queue', 'docx')).toEqual({ resumed: ['queue:docx'], paused: [] });
  expect(await admin('resume', '--queue', 'docx')).toEqual({ resumed: [], paused: [] });
  await expectStatus(client, job).toBe('succeeded');
});

test('a paused account waits or is refused, and another is served', async () => {
  const [{ client, templateId }, other] = [await newScene(), await newScene()];
  const sendKnown = () => client.generate(templateId, { data: { name: 'known' } }, { 'Idempotency-Key': 'document' });
  const sendKnownBatch = () => sendBatch(client, templateId, 1, { 'Idempotency-Key': 'batch' });
  const [known, knownBatch] = [await sendKnown(), await sendKnownBatch()];
  expect([known.status, knownBatch.status]).toEqual([200, 202]);
  await admin('pause', '--account', client.accountId);
  onTestFinished(resumeAll);
  await expectPaused({ accounts: 1 });
  const job = await request(client, templateId);
  const batch = await sendBatch(client, templateId, 3);
  expect(batch.status).toBe(202);
  const batchPath = `/v1/batches/${batch.json<Job>().id}`;
  await expectStatus(other.client, await request(other.client, other.templateId)).toBe('succeeded');
  expect([await statusOf(client, job), await statusOf(client, batchPath)]).toEqual(['queued', 'accepted']);

  await admin('pause', '--account', client.accountId, '--refuse');
  let acceptedMeanwhile = 0;
  const isRefused = async () => {
    const { status } = await client.start(templateId, { data: {} });
    if (status === 202) acceptedMeanwhile += 1;
    return status === 503;
  };
  await expect.poll(isRefused, { interval: 500 }).toBe(true);
  const refused = await client.generate(templateId, { data: {} });
  expectProblem(refused, 503, /paused by its operator/);
  expect(refused.headers.get('Retry-After')).toBe('60');
  expectProblem(await sendBatch(client, templateId, 3), 503, /paused/);
  // A repeated request needs no capacity.
  expect((await sendKnown()).bytes).toEqual(known.bytes);
  expect((await sendKnownBatch()).json<Job>().id).toBe(knownBatch.json<Job>().id);
  expect((await other.client.generate(other.templateId, { data: {} })).status).toBe(200);
  await admin('resume', '--account', client.accountId);
  await expectStatus(client, job).toBe('succeeded');
  await expectStatus(client, batchPath).toBe('completed');
  expect((await client.quotas()).remaining.total.docs).toBe(14 - acceptedMeanwhile);
});

interface Workers {
  readonly workers: readonly { readonly workerId: string; readonly pid: number; readonly isLive: boolean }[];
}
const liveWorkers = async () => (await admin<Workers>('workers')).workers;

/** Starts another worker of the stack, which produces only .docx files. */
function startWorker(): ChildProcess {
  const variables = { WORKER_QUEUES: 'docx,docx-batch,mail', METRICS_PORT: '0' };
  const child = spawn(process.execPath, ['dist/worker/main.js'], {
    env: { PATH: process.env.PATH, ...fontVariables, ...patientLimits, ...line.env, ...variables },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('everything can be paused, even for workers that start later, and a drained worker exits with 0 after its jobs', async () => {
  const { client, templateId } = await newScene();
  expect((await admin<{ paused: object[] }>('pause', '--all')).paused.length).toBe(8);
  onTestFinished(resumeAll);
  const child = startWorker();
  const exited = once(child, 'exit');
  const find = async () => (await liveWorkers()).find(({ pid }) => pid === child.pid);
  await expect.poll(find).toMatchObject({ isLive: true });
  await expectPaused({ queues: expect.arrayContaining(['docx', 'docx-batch', 'pdf']) });
  const job = await request(client, templateId);
  const batch = `/v1/batches/${(await sendBatch(client, templateId, 2)).json<Job>().id}`;
  await admin('resume', '--queue', 'pdf');
  await expectStatus(client, await request(client, templateId, 'pdf')).toBe('succeeded');
  expect([await statusOf(client, job), await statusOf(client, batch)]).toEqual(['queued', 'accepted']);
  await resumeAll();
  await expectStatus(client, job).toBe('succeeded');
  await expectStatus(client, batch).toBe('completed');

  const requests = Promise.all(Array.from({ length: 10 }, () => client.generate(templateId, { data: {} })));
  const workerId = (await find())?.workerId ?? '';
  expect(await adminProgram('drain', '--worker', workerId, '--timeout-seconds', '60')).toEqual({
    drained: [workerId],
    lost: [],
    remaining: [],
  });
  expect((await exited)[0]).toBe(0);
  expect((await requests).map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await find()).toBeUndefined();
  await expect(admin('drain', '--worker', workerId)).rejects.toThrow('No live worker has the id');
  expect((await client.generate(templateId, { data: {} })).status).toBe(200);
});

test('an account that does not exist cannot be paused', async () => {
  await expect(admin('pause', '--account', `acc_${'0'.repeat(26)}`)).rejects.toThrow('There is no account');
});

test('an account that fills its share of the memory with waiting data gets 429, and another is served', async () => {
  const megabyte = 1024 * 1024;
  const large = { data: { name: 'Ada', text: 'x'.repeat(9 * megabyte) } };
  const waitingBytes = async () => Number(/^docmill_waiting_data_bytes (\S+)$/m.exec(await readMetrics())?.[1]);
  const [{ client, templateId }, other] = [await newScene(50), await newScene(5)];
  const send = (headers: Readonly<Record<string, string>> = {}) => client.start(templateId, large, headers);
  const sendKnown = () => client.generate(templateId, large, { 'Idempotency-Key': 'made before' });
  const known = await sendKnown();
  expect(known.status).toBe(200);
  await expect.poll(waitingBytes).toBe(0);
  await admin('pause', '--account', client.accountId);
  onTestFinished(resumeAll);
  await expectPaused({ accounts: 1 });
  const answers = [];
  for (let round = 0; round < 3; round++) answers.push(...(await Promise.all([send(), send(), send(), send()])));
  const accepted = answers.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(7);
  for (const answer of answers.filter(({ status }) => status !== 202)) {
    expectProblem(answer, 429, /63 MB of data and files waiting, of at most 64 MB.*cancel jobs that wait/);
    expect(answer.headers.get('Error-Code')).toBe('rate_limited');
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  }
  expect(await waitingBytes()).toBeGreaterThan(7 * 9 * megabyte);
  // Nothing was accepted, so nothing is reserved.
  expect((await client.quotas()).remaining.total.docs).toBe(42);
  // A repeated request stores no data.
  const repeated = await sendKnown();
  expect(repeated.headers.get('Document-Id')).toBe(known.headers.get('Document-Id'));
  expect(repeated.bytes).toEqual(known.bytes);
  await request(client, templateId);
  for (const format of ['docx', 'pdf'] as const) {
    const answer = await other.client.generate(other.templateId, { data: { name: 'Grace' }, output: { format } });
    expect(answer.status).toBe(200);
  }
  expect((await other.client.generate(other.templateId, large)).status).toBe(200);
  const again = { 'Idempotency-Key': 'once there is memory' };
  expect((await send(again)).status).toBe(429);
  const { id } = accepted[0]?.json<Job>() ?? { id: '' };
  expect((await client.call('DELETE', `/v1/jobs/${id}`)).status).toBe(204);
  expect((await send(again)).status).toBe(202);
  await resumeAll();
  await expect.poll(waitingBytes).toBe(0);
});
