import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { expectProblemShape } from '../../support/client/api-client.ts';
import { chunked, connectRaw, type RawAnswer, type RawConnection } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { letter, megabyte } from './samples.ts';

const { newClient, url } = await useService(inject('stack'));
let client: TestClient;
let generate: string;
let connection: RawConnection;

beforeAll(async () => {
  client = await newClient();
  generate = `/v1/templates/${(await client.template('a.docx', letter('{x}'))).id}/generate`;
});
beforeEach(async () => {
  connection = await connectRaw(url);
});
afterEach(() => connection.close());

function head(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${client.apiKey}`, ...headers, '', ''].join(
    '\r\n',
  );
}
const quotas = () => head('GET /v1/account/quotas');
const json = 'Content-Type: application/json';
const multipart = 'Content-Type: multipart/form-data; boundary=x';
const oneTooMany = Buffer.alloc(10 * megabyte + 1, ' ');

function expectRefusal(answer: RawAnswer, status: number, message?: RegExp): void {
  expect(answer.status).toBe(status);
  const error = expectProblemShape(answer);
  if (message !== undefined) expect(error.message).toMatch(message);
}

/** Either the connection is kept and the next request on it is answered, or the response announces that it is closed. */
async function expectUsableOrClosed(answer: RawAnswer): Promise<void> {
  if (answer.headers.get('Connection') === 'close') {
    await connection.closed();
    return;
  }
  await connection.send(quotas());
  expect((await connection.answer()).status).toBe(200);
}

describe('a connection after a rejected request', () => {
  const cases: readonly [name: string, status: number, pieces: () => Iterable<string | Uint8Array>][] = [
    ['an unknown operation with a body', 404, () => [head('POST /v1/nothing', 'Content-Length: 5'), 'hello']],
    ['no body', 400, () => [head(`POST ${generate}`, json, 'Content-Length: 0')]],
    ['broken JSON', 400, () => [head(`POST ${generate}`, json, 'Content-Length: 5'), '{"a":']],
    ['another type', 400, () => [head(`POST ${generate}`, 'Content-Type: text/plain', 'Content-Length: 5'), 'hello']],
    [
      'JSON of 10 MB and a byte',
      400,
      () => [head(`POST ${generate}`, json, `Content-Length: ${oneTooMany.length}`), oneTooMany],
    ],
    [
      'chunked JSON of 10 MB and a byte',
      400,
      () => [head(`POST ${generate}`, json, 'Transfer-Encoding: chunked'), ...chunked(oneTooMany)],
    ],
    [
      'a million brackets',
      400,
      () => [head(`POST ${generate}`, json, 'Content-Length: 1000000'), '['.repeat(1_000_000)],
    ],
    [
      'an upload of 11 MB',
      400,
      () => [
        head('POST /v1/templates', multipart, 'Transfer-Encoding: chunked'),
        ...chunked(upload(Buffer.alloc(11 * megabyte))),
      ],
    ],
    [
      'an upload to an unknown template',
      404,
      () => [head('PUT /v1/templates/x/content', multipart, `Content-Length: ${oneTooMany.length}`), oneTooMany],
    ],
    [
      'a large body without a key',
      401,
      () => [`POST /v1/templates HTTP/1.1\r\nHost: x\r\nContent-Length: ${oneTooMany.length}\r\n\r\n`, oneTooMany],
    ],
    ['a GET with a body', 404, () => [head('GET /v1/templates/x', 'Content-Length: 5'), 'hello']],
  ];

  test.each(cases)('%s', async (_name, status, pieces) => {
    await connection.send(...pieces());
    const answer = await connection.answer();
    expectRefusal(answer, status);
    await expectUsableOrClosed(answer);
  });

  test.each(cases)('%s, with a pipelined next request', async (_name, status, pieces) => {
    const sent = connection.send(...pieces(), quotas());
    const answer = await connection.answer();
    expectRefusal(answer, status);
    await sent;
    if (answer.headers.get('Connection') !== 'close') expect((await connection.answer()).status).toBe(200);
  });

  test('a body too long to be drained is rejected at once', async () => {
    await connection.send(head(`POST ${generate}`, json, `Content-Length: ${1024 * megabyte}`));
    const answer = await connection.answer();
    expectRefusal(answer, 400, /larger than 10 MB/);
    expect(answer.headers.get('Connection')).toBe('close');
    await connection.closed();
  });

  test('an endless chunked body is rejected and the connection closed', async () => {
    const chunk = `${(1 * megabyte).toString(16)}\r\n${' '.repeat(megabyte)}\r\n`;
    const sending = connection.send(
      head(`POST ${generate}`, json, 'Transfer-Encoding: chunked'),
      ...Array(80).fill(chunk),
    );
    const answer = await connection.answer();
    expectRefusal(answer, 400, /larger than 10 MB/);
    expect(answer.headers.get('Connection')).toBe('close');
    await connection.closed();
    await sending;
  });
});

describe('invalid HTTP', () => {
  const key = () => `Authorization: Bearer ${client.apiKey}`;
  test.each<[string, () => string]>([
    ['a TLS greeting', () => '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ['an unknown method', () => `BREW /v1/templates HTTP/1.1\r\nHost: x\r\n${key()}\r\n\r\n`],
    ['no host', () => `GET /v1/templates HTTP/1.1\r\n${key()}\r\n\r\n`],
    ['a host that is none', () => `GET /v1/templates HTTP/1.1\r\nHost: a b/<>\r\n${key()}\r\n\r\n`],
    ['OPTIONS *', () => `OPTIONS * HTTP/1.1\r\nHost: x\r\n${key()}\r\n\r\n`],
    ['both lengths', () => head(`POST ${generate}`, json, 'Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['two lengths', () => head(`POST ${generate}`, json, 'Content-Length: 5', 'Content-Length: 6')],
    ['a negative length', () => head(`POST ${generate}`, json, 'Content-Length: -1')],
    ['a bad chunk size', () => `${head(`POST ${generate}`, json, 'Transfer-Encoding: chunked')}xyz\r\n`],
    ['a folded header', () => `GET /v1/templates HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n`],
    ['a header without a colon', () => head('GET /v1/templates', 'nonsense')],
    ['headers of 20 KB', () => head('GET /v1/templates', `X-Padding: ${'x'.repeat(20_000)}`)],
  ])('%s gets the error body', async (_name, request) => {
    await connection.send(request());
    const answer = await connection.answer();
    expectRefusal(answer, 400);
    await expectUsableOrClosed(answer);
  });
});

test.each([
  ['GET', '/v1/account/quotas', ''],
  ['POST', '/v1/templates', multipart],
])('%s %s that the client cuts off affects no other request', async (method, path, type) => {
  await connection.send(head(`${method} ${path}`, type || 'X: y', 'Content-Length: 1000'), '--x\r\nContent-');
  connection.close();
  expect((await client.call('GET', '/v1/account/quotas')).status).toBe(200);
});

test('600 clients that disconnect within a body hold no permits', async () => {
  const leave = async (line: string, type: string) => {
    const each = await connectRaw(url);
    await each.send(head(line, type, 'Content-Length: 1000'), '--x\r\nContent-');
    each.close();
  };
  const template = await client.template('b.docx', letter('{x}'));
  for (let i = 0; i < 30; i++) {
    const uploads = Array.from({ length: 10 }, () => leave('POST /v1/templates', multipart));
    await Promise.all([...uploads, ...uploads.map(() => leave(`POST ${generate}`, json))]);
  }
  expect((await client.generate(template.id, { data: {} })).status).toBe(200);
  expect((await client.upload('c.docx', letter('{x}'))).status).toBe(201);
});

test('a client that disconnects while it waits is charged once, and its document is produced', async () => {
  const own = await newClient({ docs: 1 });
  const { id } = await own.template('a.docx', letter('{x}'));
  const body = '{"data":{"x":"y"},"output":{"format":"pdf"}}';
  const request = [
    `POST /v1/templates/${id}/generate HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${own.apiKey}`,
    json,
  ];
  await connection.send([...request, `Content-Length: ${body.length}`, '', body].join('\r\n'));
  const jobs = async () => (await own.call('GET', '/v1/jobs')).json<{ status: string }[]>().map(({ status }) => status);
  await expect.poll(jobs, { interval: 1 }).toHaveLength(1);
  connection.close();
  await expect.poll(jobs).toEqual(['succeeded']);
  expect((await own.quotas()).remaining.total.docs).toBe(0);
});

test('pipelined responses arrive in the order of the requests', async () => {
  await connection.send(quotas(), head('GET /v1/templates/x'), quotas(), head('GET /v1/nothing'), quotas());
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) statuses.push((await connection.answer()).status);
  expect(statuses).toEqual([200, 404, 200, 404, 200]);
});

function upload(file: Uint8Array): Buffer {
  const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"`;
  const start = `${part('name')}\r\n\r\na.docx\r\n${part('file')}; filename="a.docx"\r\n\r\n`;
  return Buffer.concat([Buffer.from(start), file, Buffer.from('\r\n--x--\r\n')]);
}
