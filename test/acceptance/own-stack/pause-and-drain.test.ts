import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { byProgram, byServer, type RunLine } from '../../support/client/operator.ts';
import { type OperatorServer, startOperatorServer } from '../../support/client/operator-server.ts';
import { type ServiceUnderTest, type TestClient, useService } from '../../support/client/service-under-test.ts';
import { fontVariables } from '../../support/fonts.ts';
import { type LocalStack, type StackLine, startLocalStack } from '../../support/services/local-stack.ts';
import { letter } from '../api/samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'docmill-pause-'));
let stack: LocalStack;
let line: StackLine;
let service: ServiceUnderTest;
let operator: OperatorServer;
const parsed = async <T>(runLine: RunLine, args: readonly string[]): Promise<T> =>
  JSON.parse(await runLine([...args, '--json'])) as T;
const admin = <T>(...args: string[]): Promise<T> => parsed(byServer(operator.url), args);
/** By the program, which takes a second to start. */
const adminProgram = <T>(...args: string[]): Promise<T> => parsed(byProgram(line.env), args);

beforeAll(async () => {
  stack = startLocalStack({ LOCAL_DIR: folder, PORT: '0' });
  line = await stack.ready;
  operator = await startOperatorServer(line.env.DATABASE_URL ?? '');
  service = await useService({ ...line, operatorUrl: operator.url });
});
afterAll(async () => {
  await operator.close();
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Longer than every process takes to see a change. */
const noticedMs = 4_500;

const resumeAll = async (): Promise<void> => void (await admin('resume', '--all'));

interface Job {
  readonly id: string;
  readonly status: string;
}

async function request(client: TestClient, templateId: string): Promise<string> {
  const answer = await client.generate(templateId, { data: { name: 'Ada' } }, { Prefer: 'respond-async' });
  expect(answer.status).toBe(202);
  return answer.json<Job>().id;
}

const statusOf = async (client: TestClient, path: string): Promise<string> =>
  (await client.call('GET', path)).json<Job>().status;

/** Uploads are checked by a worker, so call it before anything is paused. */
async function newScene() {
  const client = await service.newClient({ docs: 20 });
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

test('documents of a paused queue wait, and are produced after it is resumed', async () => {
  const { client, templateId } = await newScene();
  expect(await adminProgram('pause', '--queue', 'docx')).toMatchObject({
    paused: [{ target: 'queue:docx', isRefusing: false }],
  });
  onTestFinished(resumeAll);
  await delay(noticedMs);
  const id = await request(client, templateId);
  await delay(2_000);
  expect(await statusOf(client, `/v1/jobs/${id}`)).toBe('queued');
  for (const ready of await readyTexts()) {
    expect(ready).toMatchObject({ code: 200, paused: { queues: ['docx'], accounts: 0 } });
  }
  const metrics = (await Promise.all(line.metricsUrls.map(async (url) => (await fetch(url)).text()))).join('\n');
  expect(metrics).toContain('docmill_queue_paused{queue="docx"} 1');
  expect(metrics).toContain('docmill_queue_paused{queue="pdf"} 0');
  expect(await admin('resume', '--queue', 'docx')).toEqual({ resumed: ['queue:docx'], paused: [] });
  expect(await admin('resume', '--queue', 'docx')).toEqual({ resumed: [], paused: [] });
  await expect.poll(() => statusOf(client, `/v1/jobs/${id}`), { timeout: 30_000 }).toBe('succeeded');
});

test('a paused account waits or is refused, and another is served', async () => {
  const [{ client, templateId }, other] = [await newScene(), await newScene()];
  await admin('pause', '--account', client.accountId);
  onTestFinished(resumeAll);
  await delay(noticedMs);
  const id = await request(client, templateId);
  const items = Array.from({ length: 3 }, (_, index) => ({ data: { name: `row ${index}` } }));
  const batch = await client.call('POST', `/v1/templates/${templateId}/batches`, { json: { items, bundle: 'none' } });
  expect(batch.status).toBe(202);
  const otherId = await request(other.client, other.templateId);
  await expect.poll(() => statusOf(other.client, `/v1/jobs/${otherId}`), { timeout: 30_000 }).toBe('succeeded');
  await delay(1_500);
  expect(await statusOf(client, `/v1/jobs/${id}`)).toBe('queued');
  expect((await client.call('GET', `/v1/batches/${batch.json<Job>().id}`)).json()).toMatchObject({
    status: 'accepted',
  });
  await admin('pause', '--account', client.accountId, '--refuse');
  await delay(noticedMs);
  const refused = await client.generate(templateId, { data: {} });
  expectProblem(refused, 503, /paused by its operator/);
  expect(refused.headers.get('Retry-After')).toBe('60');
  expectProblem(
    await client.call('POST', `/v1/templates/${templateId}/batches`, { json: { items, bundle: 'none' } }),
    503,
    /paused/,
  );
  expect((await other.client.generate(other.templateId, { data: {} })).status).toBe(200);
  await admin('resume', '--account', client.accountId);
  await expect.poll(() => statusOf(client, `/v1/jobs/${id}`), { timeout: 30_000 }).toBe('succeeded');
  const path = `/v1/batches/${batch.json<Job>().id}`;
  await expect.poll(() => statusOf(client, path), { timeout: 30_000 }).toBe('completed');
  expect((await client.quotas()).remaining.total.docs).toBe(16);
});

test('everything can be paused, also for workers that start later, and batches go on afterwards', async () => {
  const { client, templateId } = await newScene();
  expect((await admin<{ paused: object[] }>('pause', '--all')).paused.length).toBe(8);
  onTestFinished(resumeAll);
  const late = startWorker();
  await expect.poll(async () => (await admin<Workers>('workers')).workers.length, { timeout: 60_000 }).toBe(2);
  await delay(noticedMs);
  const id = await request(client, templateId);
  const items = [{ data: { name: 'a' } }, { data: { name: 'b' } }];
  const batch = (
    await client.call('POST', `/v1/templates/${templateId}/batches`, { json: { items, bundle: 'none' } })
  ).json<Job>().id;
  await delay(2_500);
  expect(await statusOf(client, `/v1/jobs/${id}`)).toBe('queued');
  expect(await statusOf(client, `/v1/batches/${batch}`)).toBe('accepted');
  const codes = async () => (await readyTexts()).map(({ code }) => code);
  await expect.poll(codes, { timeout: 20_000 }).toEqual([200, 200]);
  await admin('resume', '--all');
  await expect.poll(() => statusOf(client, `/v1/jobs/${id}`), { timeout: 30_000 }).toBe('succeeded');
  await expect.poll(() => statusOf(client, `/v1/batches/${batch}`), { timeout: 30_000 }).toBe('completed');
  late.kill('SIGKILL');
});

interface Workers {
  readonly workers: readonly { readonly workerId: string; readonly pid: number; readonly isLive: boolean }[];
}

/** Another worker of the stack, for .docx files alone. */
function startWorker() {
  const child = spawn(process.execPath, ['dist/worker/main.js'], {
    env: {
      PATH: process.env.PATH,
      ...fontVariables,
      ...line.env,
      WORKER_QUEUES: 'docx,docx-batch,mail',
      METRICS_PORT: '0',
    },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('a drained worker exits 0 after its jobs, and the others go on', async () => {
  const { client, templateId } = await newScene();
  const child = startWorker();
  const exited = once(child, 'exit');
  const find = async () => (await admin<Workers>('workers')).workers.find(({ pid }) => pid === child.pid);
  await expect.poll(find, { timeout: 60_000 }).toMatchObject({ isLive: true });
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

test.each([
  [['pause'], 'Give either --queue, --account or --all'],
  [['pause', '--queue', 'maintenance'], '--queue must be docx, pdf'],
  [['pause', '--account', `acc_${'0'.repeat(26)}`], 'There is no account'],
  [['resume', '--all', '--queue', 'pdf'], 'Give either --queue'],
  [['drain'], 'Give either --worker or --all'],
])('refuses %j', async (args, problem) => {
  await expect(admin(...args)).rejects.toThrow(problem);
});
