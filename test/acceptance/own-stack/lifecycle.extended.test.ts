import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { docxType } from '../../support/client/api-client.ts';
import { type LocalStack, type StackLine, startLocalStack } from '../../support/services/local-stack.ts';
import { isRunning, untilGone } from '../../support/services/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'docmill-lifecycle-'));
const started: LocalStack[] = [];

afterAll(async () => {
  for (const stack of started) if (stack.process.exitCode === null) await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}): LocalStack {
  // Without LibreOffice, whose crashes and leftovers have tests of their own.
  const stack = startLocalStack({ LOCAL_DIR: folder, PORT: '0', WORKER_QUEUES: 'docx,inspect,maintenance', ...env });
  started.push(stack);
  return stack;
}

function pidsOf({ pids: { workers, ...single } }: StackLine): number[] {
  return [...Object.values(single), ...workers];
}

async function upload(line: StackLine): Promise<string> {
  const form = new FormData();
  form.set('name', 'invoice.docx');
  form.set('file', new Blob([readFileSync('examples/invoice.docx')]), 'invoice.docx');
  const answer = await fetch(`${line.url}/v1/templates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${line.apiKey}` },
    body: form,
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

async function generate(line: StackLine, templateId: string): Promise<Response> {
  return await fetch(`${line.url}/v1/templates/${templateId}/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${line.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: {} }),
  });
}

test('documents survive a crash of each process and of the whole stack, and SIGINT ends every process of the stack', async () => {
  const first = start({ WORKERS: '2' });
  const line = await first.ready;
  expect(line.pids.workers).toHaveLength(2);
  const templateId = await upload(line);
  expect((await generate(line, templateId)).headers.get('content-type')).toBe(docxType);

  const { port } = new URL(line.url);
  const elsewhere = join(folder, 'elsewhere');
  const late = await start({ LOCAL_DIR: elsewhere, PORT: port }).ended;
  expect(late).toMatchObject({ exitCode: 1, stdout: [] });
  expect(late.stderr).toContain(`port ${port} is in use`);
  expect(readdirSync(elsewhere)).not.toContain('stack.lock');

  for (const pid of pidsOf(line).filter((pid) => pid !== line.pids.stack)) process.kill(pid, 'SIGKILL');
  await expect.poll(async () => (await generate(line, templateId)).status, { timeout: 240_000 }).toBe(200);
  for (const name of ['api', 'worker-1', 'worker-2', 'postgres', 'redis', 's3', 'mail'])
    await expect.poll(first.stderr).toContain(`${name} exited unexpectedly (SIGKILL): restarting it`);

  const pids = [line.pids.stack, ...recordedPids()];
  process.kill(line.pids.stack, 'SIGKILL');
  await untilGone(pids);

  const second = start();
  const secondLine = await second.ready;
  expect([secondLine.apiKey, secondLine.accountId]).toEqual([line.apiKey, line.accountId]);
  expect((await generate(secondLine, templateId)).status).toBe(200);
  const ending = await second.stop('SIGINT');
  expect(ending).toMatchObject({ exitCode: 0, stdout: [JSON.stringify(secondLine)] });
  expect([...pidsOf(secondLine), ...recordedPids()].filter(isRunning)).toEqual([]);
});

test('files with secrets are readable only by their owner', () => {
  for (const name of ['demo-account.json', 'secrets.json']) {
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  }
});

function recordedPids(): number[] {
  const records = JSON.parse(readFileSync(join(folder, 'pids.json'), 'utf8')) as { pid: number }[];
  return records.map(({ pid }) => pid);
}
