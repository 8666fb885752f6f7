import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import {
  checksumPrecondition,
  rejectTagged,
  templatePrecondition,
  toEntityTag,
  toWebhookTag,
  webhookPrecondition,
} from '../../../../src/api/http/conditional-request.ts';
import { bytesOf, sendFile } from '../../../../src/api/http/send-file.ts';
import { AppError } from '../../../../src/shared/errors.ts';

type Headers = Readonly<Record<string, string>>;
const etag = '"abc"';
const bytes = Buffer.from('0123456789');

const app = new Hono<ApiEnv>();
const readers = {
  template: templatePrecondition,
  webhook: webhookPrecondition,
  checksum: checksumPrecondition,
  job: (c: Parameters<typeof rejectTagged>[0]) => rejectTagged(c, 'job'),
};
let found: unknown;
for (const [name, read] of Object.entries(readers))
  app.put(`/${name}`, (c) => {
    found = read(c);
    return c.text('');
  });
app.get('/file', (c) =>
  sendFile(c, {
    etag,
    sizeBytes: bytes.length,
    headers: { 'Content-Type': 'text/x-test' },
    read: async (range) => bytesOf(bytes, range),
  }),
);
app.onError((error, c) => {
  const { status, code, message, details } = error as AppError;
  if (!(error instanceof AppError)) throw error;
  return c.json({ code, message, details }, status as 400);
});

const get = async (headers: Headers = {}, method = 'GET') => {
  const answer = await app.request('/file', { method, headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/** The precondition that these headers set for a change, or the refusal. */
async function preconditionOf(of: keyof typeof readers, headers: Headers): Promise<unknown> {
  found = undefined;
  const answer = await app.request(`/${of}`, { method: 'PUT', headers });
  return answer.status === 200 ? found : { status: answer.status, ...((await answer.json()) as object) };
}

describe('a file', () => {
  test.each([etag, `W/${etag}`, '*', `"x", ${etag}`, `"x" ,, ${etag} ,`])(
    'is not sent again to a client that has %s',
    async (known) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, text } = await get({ 'If-None-Match': known }, method);
        expect([status, headers.get('ETag'), text]).toEqual([304, etag, '']);
      }
    },
  );

  test.each(['"x"', 'x', '', '"abcd"', `"${'a'.repeat(9_000)}"`, '"a" "b"', '"abc', 'W/*'])(
    'is sent again to a client that has %.20s',
    async (known) => expect((await get({ 'If-None-Match': known })).status).toBe(200),
  );

  test('is sent only in the state that If-Match names', async () => {
    for (const required of [etag, '*', `"x", ${etag}`]) expect((await get({ 'If-Match': required })).status).toBe(200);
    for (const other of ['"x"', `W/${etag}`]) {
      const { status, text } = await get({ 'If-Match': other });
      expect([status, JSON.parse(text)]).toEqual([
        412,
        { code: 'precondition_failed', message: 'The resource was changed since you read it.' },
      ]);
    }
    expect((await get({ 'If-Match': 'malformed' })).status).toBe(200);
  });

  test('has the same headers for HEAD, without a body, and HEAD ignores a range', async () => {
    for (const headers of [{}, { Range: 'bytes=0-1' }]) {
      const head = await get(headers, 'HEAD');
      expect([head.status, head.text]).toEqual([200, '']);
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries((await get()).headers));
    }
    expect(Object.fromEntries((await get()).headers)).toEqual({
      'accept-ranges': 'bytes',
      'content-length': '10',
      'content-type': 'text/x-test',
      etag,
    });
  });

  test.each([
    ['bytes=4-8', 4, 8],
    ['bytes=0-0', 0, 0],
    ['bytes=9-9', 9, 9],
    ['bytes=5-5', 5, 5],
    ['BYTES=5-', 5, 9],
    ['bytes=-3', 7, 9],
    ['bytes=-10', 0, 9],
    ['bytes=-999999999', 0, 9],
    ['bytes=7-15', 7, 9],
    [' bytes=\t4-8 ', 4, 8],
  ])('can be downloaded in ranges: %s', async (range, start, end) => {
    for (const more of [{}, { 'If-Range': etag }, { 'If-Range': ` ${etag} ` }]) {
      const { status, headers, text } = await get({ Range: range, ...more });
      expect([status, text]).toEqual([206, bytes.toString().slice(start, end + 1)]);
      expect(headers.get('Content-Range')).toBe(`bytes ${start}-${end}/10`);
      expect(headers.get('Content-Length')).toBe(String(end - start + 1));
    }
  });

  test.each(['bytes=9-4', 'bytes=-', 'bytes=a-b', 'bytes=0-1,3-4', 'lines=1-2', 'bytes', 'xbytes=1-2', 'bytes=1-2x'])(
    'is sent whole when the range cannot be used: %s',
    async (range) => expect(await get({ Range: range })).toMatchObject({ status: 200, text: bytes.toString() }),
  );

  test('is sent whole when the range has more than 15 digits', async () => {
    expect((await get({ Range: `bytes=${'9'.repeat(16)}-` })).status).toBe(200);
  });

  test.each(['"x"', `W/${etag}`, 'Sat, 21 Nov 2026 00:00:00 GMT', ''])(
    'is sent whole when it has changed since If-Range: %s',
    async (known) => expect((await get({ Range: 'bytes=0-1', 'If-Range': known })).status).toBe(200),
  );

  test.each(['bytes=10-', 'bytes=10-12', 'bytes=999999999-', 'bytes=-0'])(
    'has nothing after its end: %s gets 416 with the size',
    async (range) => {
      const { status, headers, text } = await get({ Range: range });
      expect([status, headers.get('Content-Range'), JSON.parse(text)]).toEqual([
        416,
        'bytes */10',
        {
          code: 'range_not_satisfiable',
          message: 'The file has 10 bytes; the range begins after its end',
        },
      ]);
    },
  );
});

describe('a change', () => {
  const state = { version: 3, updatedAt: new Date(1_700_000_000_000) };

  test('has no precondition without these headers', async () => {
    expect(await preconditionOf('template', {})).toEqual({ anyOf: undefined, noneOf: [] });
    expect(await preconditionOf('job', {})).toBeUndefined();
  });

  test('requires one of the states that If-Match names; weak tags and tags of other services never match', async () => {
    const own = toEntityTag(state);
    expect(own).toBe('"3-1700000000000"');
    const others = ['"1"', `W/${own}`, '"x,y"', '"9999999999-1"', '"1-99999999999999"', '"x1-1"', '"1-1x"', '""'];
    expect(await preconditionOf('template', { 'If-Match': others.join(', ') })).toMatchObject({ anyOf: [] });
    expect(await preconditionOf('template', { 'If-Match': `"a", ,${own},` })).toMatchObject({ anyOf: [state] });
    expect(await preconditionOf('template', { 'If-Match': '*' })).toMatchObject({ anyOf: undefined });
  });

  test('is refused in the states that If-None-Match names, weak or not', async () => {
    const own = toEntityTag(state);
    for (const tags of [own, `W/${own}`, `"1", ${own}`])
      expect(await preconditionOf('template', { 'If-None-Match': tags })).toMatchObject({ noneOf: [state] });
    expect(await preconditionOf('template', { 'If-None-Match': '*' })).toMatchObject({ noneOf: '*' });
  });

  test('to a webhook and to a file use different tags', async () => {
    const webhook = { updatedAt: new Date(5), failingSince: undefined };
    const failing = { updatedAt: new Date(5), failingSince: new Date(7) };
    expect([toWebhookTag(webhook), toWebhookTag(failing)]).toEqual(['"5-0"', '"5-7"']);
    const tags = { 'If-Match': '"5-0", "5-7", "5", "x5-0", "5-0x"' };
    expect(await preconditionOf('webhook', tags)).toMatchObject({ anyOf: [webhook, failing] });
    const sum = 'a'.repeat(64);
    expect(await preconditionOf('checksum', { 'If-Match': `"${sum}", "${sum}0", "x${sum}", "1"` })).toMatchObject({
      anyOf: [sum],
    });
  });

  test.each(['1-1', '"1', 'x', '', '"a" "b"', '*, "a"', 'W/*', '"a";"b"', ','])(
    'is refused with the name of the header when the tag is malformed: %j',
    async (tag) => {
      for (const name of ['If-Match', 'If-None-Match']) {
        const message = 'must be entity tags in quotes, from an ETag header, or *';
        for (const of of ['template', 'webhook', 'checksum'] as const)
          expect(await preconditionOf(of, { [name]: tag })).toMatchObject({
            status: 400,
            message: `${name}: ${message}`,
            details: [{ type: 'Field', path: name, message }],
          });
      }
    },
  );

  test('to a job is refused with a tag, because jobs have no tags', async () => {
    for (const headers of [{ 'If-Match': '"1"' }, { 'If-None-Match': '*' }])
      expect(await preconditionOf('job', headers)).toMatchObject({
        status: 412,
        message: 'A job has no entity tag. Repeat the request without If-Match and If-None-Match.',
      });
    for (const headers of [{ 'If-Match': '*' }, { 'If-None-Match': '"1"' }])
      expect(await preconditionOf('job', headers)).toBeUndefined();
  });
});
