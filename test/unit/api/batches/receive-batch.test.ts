import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { ApiDeps } from '../../../../src/api/api-deps.ts';
import { receiveBatch } from '../../../../src/api/batches/receive-batch.ts';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { createTargetPolicy } from '../../../../src/shared/domain/webhooks/target-policy.ts';
import type { AppError } from '../../../../src/shared/errors.ts';
import { createLogger } from '../../../../src/shared/logger.ts';

const [json, ndjson, csv] = ['application/json', 'application/x-ndjson', 'text/csv'];
const row = '{"name":"Ada"}\n';

/** Receives a batch, and returns what is left in the store afterwards. */
async function receive(body: string | Buffer, type = ndjson, query = '') {
  const stored = new Map<string, Buffer>();
  const objects = {
    async putStream(key: string, chunks: AsyncIterable<Buffer>) {
      const parts: Buffer[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      stored.set(key, Buffer.concat(parts));
      return stored.get(key)?.length ?? 0;
    },
    put: async (key: string, bytes: Buffer) => void stored.set(key, bytes),
    getStream: async (key: string) => Readable.from([stored.get(key)]),
    remove: async (keys: string | readonly string[]) => {
      for (const key of [keys].flat()) stored.delete(key);
    },
  };
  const targets = createTargetPolicy({ allowHttp: false, allowPrivate: [] });
  const deps = { objects, targets, logger: createLogger('silent', 'test') } as unknown as ApiDeps;
  const app = new Hono<ApiEnv>();
  app.post('/', async (c) => {
    c.set('accountId', 'acc_1');
    c.set('bodyLease', { take: () => undefined, schedule: (resume) => resume() });
    const { rows, isDryRun, options } = await receiveBatch(c, deps, { name: 'letter.docx', schema: null });
    return c.json({
      rows: rows.length,
      failed: rows.filter(({ error }) => error !== undefined).length,
      isDryRun,
      options,
    });
  });
  app.onError((error, c) => {
    const { code, message, details } = error as AppError;
    return c.json({ code, message, details }, 400);
  });
  const init = { method: 'POST', body: new Uint8Array(Buffer.from(body)), headers: { 'Content-Type': type } };
  const answer = await app.request(`/${query}`, init, { incoming: {} as IncomingMessage });
  return { ...((await answer.json()) as Readonly<Record<string, unknown>>), left: stored.size };
}

test.each<[string, string, string | Buffer, number]>([
  ['a missing value', ndjson, `${row.repeat(1_000)}{"name":}\n`, row.length * 1_000 + 8],
  ['a line that is cut off', ndjson, `${row}{"name":"A`, row.length + 10],
  ['a byte that is not UTF-8', ndjson, Buffer.from(`${row}{"name":"\xff"`, 'latin1'), row.length + 9],
  ['a broken element', json, '{"items":[{"data":{}},{"data":{"a":01}}],"bundle":"none"}', 36],
  ['no end of the list', json, '{"items":[{"data":{}}', 21],
  ['two lists', json, '{"items":[{"data":{}}],"items":[]}', 31],
  ['a byte order mark', json, '\ufeff{"items":x}', 12],
  ['a quote that is never closed', csv, 'name\n"Ada\nBob\n', 5],
  ['a quote inside a field', csv, 'name\nA"da\n', 6],
])('%s is refused with its byte offset, and nothing is left in the store', async (_what, type, body, offset) => {
  expect(await receive(body, type)).toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(new RegExp(`at byte ${offset}\\)$`)),
    details: [{ type: 'Message', offset }],
    left: 0,
  });
});

test.each<[string, string, string, string, RegExp]>([
  ['an empty NDJSON body', ndjson, '', '\n\n', /no rows/],
  ['an empty CSV', csv, '', 'name\n', /no rows/],
  ['an empty list', json, '', '{"items":[]}', /no rows/],
  ['a list alone', json, '', '[{"data":{}}]', /body: must be an object/],
  ['formats of columns for NDJSON', ndjson, '?columnFormats=name:text', row, /columnFormats: is only for CSV/],
  ['a body without items', json, '', '{"output":{}}', /^items: must be a list$/],
  ['another type', 'text/plain', '', '{}', /Content-Type/],
  ['another encoding', 'text/csv; charset=iso-8859-1', '', 'a\n1\n', /UTF-8/],
  ['an unknown option', ndjson, '?bundel=zip', '{}', /^bundel: is not a known field$/],
  ['options of JSON in the query', json, '?format=pdf', '{"items":[{"data":{}}]}', /format/],
  ['a merged PDF of Word files', ndjson, '?bundle=pdf', '{}', /^bundle: can only be pdf/],
  [
    'a merged PDF with a password',
    json,
    '',
    '{"items":[{"data":{}}],"bundle":"pdf","output":{"format":"pdf","pdf":{"password":"x"}}}',
    /have a password/,
  ],
  ['a negative number of failures', ndjson, '?maxFailures=-1', '{}', /^maxFailures: must be at least 0$/],
  ['too many failures', ndjson, '?maxFailures=100001', '{}', /^maxFailures: must be at most 100,000$/],
  ['a header that names a thing twice', csv, '', 'a,a.b\n1,2\n', /header/],
  ['columns between semicolons', csv, '', 'name;city\nAda;Ulm\n', /header/],
  ['a version that cannot be', ndjson, '?version=0', '{}', /^version: must be at least 1$/],
  ['an empty name', ndjson, '?filename=', '{}', /^filename: must have at least 1 characters$/],
  ['an unknown column in the file name', csv, '?filename=a-{nmae}', 'name\nAda\n', /^output.filename: .* \{nmae\}/],
  [
    'an unknown path in the subject',
    json,
    '',
    '{"items":[{"data":{"name":"Ada"}}],"output":{"email":{"to":["a@b.example"],"subject":"For {nmae}"}}}',
    /^output.email.subject: no row has a value for \{nmae\}. Correct/,
  ],
  ['a dry run twice', ndjson, '?dryRun=true&dryRun=false', '{}', /^dryRun: is given more than once$/],
  ['a callback that is not allowed', ndjson, '?callbackUrl=ftp://example.com/', '{}', /^callbackUrl: must begin/],
  [
    'a callback of a dry run',
    json,
    '',
    '{"items":[{"data":{}}],"dryRun":true,"callbackUrl":"ftp://a.example/"}',
    /^callbackUrl/,
  ],
  ['100,001 rows', ndjson, '', '{}\n'.repeat(100_001), /100,000 rows/],
  [
    'a row larger than a single request',
    ndjson,
    '',
    `${row}{"name":"${'x'.repeat(10 * 1024 * 1024)}"}`,
    /larger than 10 MB/,
  ],
])('%s is refused', async (_what, type, query, body, message) => {
  expect(await receive(body, type, query)).toMatchObject({ message: expect.stringMatching(message), left: 0 });
});

test('a file name may contain a value that only some rows have', async () => {
  const rows = '{"name":"Ada","title":""}\n{"title":"Dr"}\n{"name":7}\n';
  expect(await receive(rows, ndjson, '?filename={title}-{name}')).toMatchObject({ rows: 3, failed: 0 });
  expect(await receive('{"name":', ndjson, '?filename={title}')).toMatchObject({ code: 'invalid_request' });
});

test('null means the same as an absent field, both in a batch and in its rows', async () => {
  const nulls = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
  const output = nulls('filename', 'locale', 'timezone', 'onMissing', 'pdf', 'email');
  const items = [{ data: { name: 'a' }, output: null }, { data: { name: 'b' }, output }, { data: { name: null } }];
  const options = nulls('bundle', 'maxFailures', 'callbackUrl', 'dryRun');
  const body = JSON.stringify({ items, output: { ...output, format: null }, ...options });
  expect(await receive(body, json)).toMatchObject({
    rows: 3,
    failed: 0,
    isDryRun: false,
    options: { bundle: 'zip', output: { format: 'docx' } },
  });
});

test('addresses shared by all rows are checked for each row', async () => {
  const domain = Array(3).fill('d'.repeat(60)).join('.');
  const to = Array.from({ length: 50 }, (_, n) => `${'a'.repeat(50)}${n}@${domain}.example`);
  const body = JSON.stringify({ items: Array(3_500).fill({ data: {} }), output: { email: { to } } });
  expect(await receive(body, json)).toMatchObject({
    message: expect.stringMatching(/all rows together are too large/),
  });
});

test('a long text shared by all rows counts once', async () => {
  const output = { email: { to: ['{to}'], body: '-'.repeat(400_000) } };
  const items = Array.from({ length: 3_000 }, (_, row) => ({ data: { to: `p${row}@example.com` } }));
  expect(await receive(JSON.stringify({ items, output }), json)).toMatchObject({ rows: 3_000, failed: 0 });
});
