import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { connectRaw, type RawConnection } from '../../support/client/raw-http.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { letter } from './samples.ts';

const { newClient, url } = await useService(inject('stack'));
const client = await newClient();
const { id } = await client.template('a.docx', letter('[{name}]'));
const generate = `POST /v1/templates/${id}/generate`;
let connection: RawConnection;
beforeEach(async () => {
  connection = await connectRaw(url);
});
afterEach(() => connection.close());

const json = 'Content-Type: application/json';

test('a client that disconnects while it waits is charged once, and its document is produced', async () => {
  const own = await newClient({ docs: 1 });
  const { id: template } = await own.template('a.docx', letter('{x}'));
  const body = '{"data":{"x":"y"},"output":{"format":"pdf"}}';
  const lines = [`POST /v1/templates/${template}/generate HTTP/1.1`, 'Host: x', `Authorization: Bearer ${own.apiKey}`];
  await connection.send([...lines, json, `Content-Length: ${body.length}`, '', body].join('\r\n'));
  const jobs = async () => (await own.call('GET', '/v1/jobs')).json<{ status: string }[]>().map(({ status }) => status);
  await expect.poll(jobs, { interval: 1 }).toHaveLength(1);
  connection.close();
  await expect.poll(jobs).toEqual(['succeeded']);
  expect((await own.quotas()).remaining.total.docs).toBe(0);
});

test('HTTP/1.0 without a host gets documents, and links of lists that are usable', async () => {
  const body = '{"data":{"name":"Ada"}}';
  const key = `Authorization: Bearer ${client.apiKey}\r\n`;
  await connection.send(`${generate} HTTP/1.0\r\n${key}${json}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const { status, bytes } = await connection.answer();
  expect([status, docxText(bytes)]).toEqual([200, '[Ada]']);
  await client.template('b.docx', letter('{x}'));
  const list = await connectRaw(url);
  await list.send(`GET /v1/templates?limit=1 HTTP/1.0\r\n${key}\r\n`);
  expect((await list.answer()).headers.get('Link')).toMatch(
    /^<http:\/\/127\.0\.0\.1:\d+\/v1\/templates\?limit=1&cursor=/,
  );
});

test.each(['text/html', 'application/json;q=0', '*/*;q=0, nonsense'])('Accept: %s is ignored', async (accept) => {
  const answer = await client.call('GET', '/v1/account/quotas', { headers: { Accept: accept } });
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/json']);
});
