import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { connectRaw } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { address, canary, letter } from './samples.ts';

const stack = inject('stack');
const { newClient, anonymous, operator } = await useService(stack);
const words = {
  data: canary(),
  key: canary(),
  subject: canary(),
  body: canary(),
  filename: canary(),
  password: canary(),
  docxPassword: canary().slice(-15),
};
const recipient = address('kanarienvogel');
const secrets = [...Object.values(words), recipient];
let client: TestClient;

/** All log output of the stack's processes so far. */
async function readLogs(): Promise<string> {
  const folder = join(dirname(stack.mailDir), 'logs');
  const names = (await readdir(folder)).filter((name) => /^(api|worker-\d+)\.log/.test(name));
  expect(names).toContain('api.log');
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

beforeAll(async () => {
  client = await newClient({ docs: 4 });
  const { id } = await client.template(`${words.filename}.docx`, letter('Dear {name}', '{#items}{price}{/items}'));
  const data = { name: words.data, [words.key]: words.data };
  const email = { to: [recipient], subject: words.subject, body: words.body };
  const sent = await client.generate(id, { data, output: { email, filename: words.filename } });
  const delivery = `/v1/deliveries/${sent.headers.get('Email-Delivery-Id')}`;
  const status = async () => (await client.call('GET', delivery)).json<{ status: string }>().status;
  await vi.waitFor(async () => expect(await status()).toBe('sent'), { timeout: 240_000 });
  const pdf = { password: words.password };
  await client.generate(id, { data, output: { format: 'pdf', pdf } });
  const docx = { protection: { mode: 'readOnly', password: words.docxPassword } };
  await client.generate(id, { data, output: { docx } });
  await client.generate(id, { data, output: { docx: { protection: { ...docx.protection, mode: 'none' } } } });
  await client.generate(id, { data: { name: { [words.key]: words.data } }, output: { email } });
  await client.generate(id, { data: { name: `${words.data}\0` }, output: { format: 'pdf', pdf } });
  await client.generate(id, { data, output: { email: { ...email, to: [`${words.data}@`] } } });
  await client.generate(id, {
    data,
    output: { filename: words.filename, email: { ...email, body: `${words.body}\0` } },
  });
  await client.upload(`${words.filename}.pdf`, letter('{x}'));
  await client.upload(`${words.filename}.docx`, letter(`{${words.data}`));
  await client.call('GET', `/v1/templates?name=${words.data}%00`);
  await client.call('GET', `/v1/templates/${words.data}`);
  await client.call('GET', `/v1/${words.data}?key=${client.apiKey}`);
  await client.generate(id, { data, output: { email } });
  await client.generate(id, { data, output: { email } });
  await anonymous.call('GET', '/v1/templates', { headers: { Authorization: `Bearer dts_${words.key}` } });
  await anonymous.call('GET', '/v1/templates', { headers: { Authorization: `Bearer ${client.apiKey}0` } });
  const connection = await connectRaw(stack.url);
  const head = [`POST /v1/templates/${id}/generate HTTP/1.1`, 'Host: x', `Authorization: Bearer ${client.apiKey}`];
  const body = ['Content-Type: application/json', 'Content-Length: 500', '', `{"data":{"name":"${words.data}"`];
  await connection.send([...head, ...body].join('\r\n'));
  connection.close();
  const { keyId } = await operator.createKey(client.accountId);
  await operator.run('revoke-key', { key: keyId });
});

test('the logs contain the requests with their ids', async () => {
  const { headers } = await client.call('GET', '/v1/account/quotas');
  const requestId = headers.get('X-Request-Id') ?? '';
  await expect.poll(readLogs).toContain(requestId);
});

test('the logs contain no data, text, name or recipient', async () => {
  const logs = await readLogs();
  expect(secrets.filter((secret) => logs.includes(secret))).toEqual([]);
  expect(logs.match(/[\w.]+@inbox\.example|kanarienvogel\w+/g)).toBeNull();
});

test('the logs contain no API key, nor its secret part', async () => {
  const logs = await readLogs();
  expect(logs).not.toContain(client.apiKey);
  expect(logs).not.toContain(client.apiKey.slice(-40));
  expect(logs.match(/dts_(?:test_)?[0-9a-z]{16}_[0-9a-z]{40}/g)).toBeNull();
});

test('no rejected request is logged as a failure of the service, not even that of a client that disconnects', async () => {
  const lines = (await readLogs()).split('\n').filter((line) => /^\{.*\}$/.test(line));
  const logged = lines.map((line) => JSON.parse(line) as { level: number; status?: number; accountId?: string });
  // Other files cause log lines at the same time.
  const own = logged.filter(({ accountId }) => accountId === client.accountId);
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter(({ level, status }) => status === 500 || level >= 50)).toEqual([]);
});
