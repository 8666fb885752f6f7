import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { byServer } from '../../support/client/operator.ts';
import { type OperatorServer, startOperatorServer } from '../../support/client/operator-server.ts';
import { type ServiceUnderTest, type TestClient, useService } from '../../support/client/service-under-test.ts';
import { type LocalStack, type StackLine, startLocalStack } from '../../support/services/local-stack.ts';
import { letter } from '../api/samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'docmill-waiting-data-'));
let stack: LocalStack;
let line: StackLine;
let service: ServiceUnderTest;
let operator: OperatorServer;

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

const megabyte = 1024 * 1024;
const large = { data: { name: 'Ada', text: 'x'.repeat(9 * megabyte) } };

async function newScene(docs: number) {
  const client = await service.newClient({ docs });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  return { client, templateId: id };
}

const readMetrics = async (): Promise<string> =>
  (await Promise.all(line.metricsUrls.map(async (url) => (await fetch(url)).text()))).join('\n');

const waitingBytes = async (): Promise<number> =>
  Number(/^docmill_waiting_data_bytes (\S+)$/m.exec(await readMetrics())?.[1]);

/** Documents of the account wait, and those of others are produced. */
async function pause(client: TestClient): Promise<void> {
  await byServer(operator.url)(['pause', '--account', client.accountId, '--json']);
  onTestFinished(resume);
  const isNoticed = async () => /^docmill_accounts_paused 1$/m.test(await readMetrics());
  await expect.poll(isNoticed, { timeout: 20_000 }).toBe(true);
}

const resume = async (): Promise<void> => void (await byServer(operator.url)(['resume', '--all', '--json']));

test('an account that fills its share of the memory with waiting data gets 429, and another is served', async () => {
  const [{ client, templateId }, other] = [await newScene(50), await newScene(5)];
  const send = (headers: Readonly<Record<string, string>> = {}) =>
    client.generate(templateId, large, { Prefer: 'respond-async', ...headers });
  await pause(client);
  const answers = [];
  for (let round = 0; round < 5; round++) answers.push(...(await Promise.all([send(), send(), send(), send()])));
  const accepted = answers.filter(({ status }) => status === 202);
  const refused = answers.filter(({ status }) => status !== 202);
  expect(accepted).toHaveLength(7);
  for (const answer of refused) {
    expectProblem(answer, 429, /63 MB of data and files waiting, of at most 64 MB.*cancel jobs that wait/);
    expect(answer.headers.get('Error-Code')).toBe('rate_limited');
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  }
  expect(await waitingBytes()).toBeGreaterThan(7 * 9 * megabyte);
  // Nothing was accepted, so nothing is reserved.
  expect((await client.quotas()).remaining.total.docs).toBe(43);
  expect((await client.generate(templateId, { data: { name: 'small' } }, { Prefer: 'respond-async' })).status).toBe(
    202,
  );
  for (const format of ['docx', 'pdf'] as const) {
    const answer = await other.client.generate(other.templateId, { data: { name: 'Grace' }, output: { format } });
    expect(answer.status).toBe(200);
  }
  expect((await other.client.generate(other.templateId, large)).status).toBe(200);
  const again = { 'Idempotency-Key': 'once there is memory' };
  expect((await send(again)).status).toBe(429);
  const { id } = accepted[0]?.json<{ readonly id: string }>() ?? { id: '' };
  expect((await client.call('DELETE', `/v1/jobs/${id}`)).status).toBe(204);
  expect((await send(again)).status).toBe(202);
  await resume();
  await expect.poll(waitingBytes, { timeout: 120_000 }).toBe(0);
});
