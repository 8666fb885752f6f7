import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fileHead, formOf, nameHead, ownBoundary, type Part, rawBody } from '../../../acceptance/api/form-bodies.ts';
import { expectProblem, uploadForm } from '../../../support/client/api-client.ts';
import { admitted, startApplication } from '../application.ts';

const { client } = await startApplication();
const template = `tpl_${'0'.repeat(26)}`;
const json = { 'Content-Type': 'application/json' };
const rename = (body: unknown) => client.call('PUT', `/v1/templates/${template}`, { json: body });
const besideFile = (part: Part) => formOf([part, ['file', 'PK', 'a.docx']]);
const validate = (body: FormData) => client.call('POST', '/v1/templates/validate', { body });
const cursorOf = (prefix: string) => Buffer.from(`${prefix}_${'0'.repeat(26)}`).toString('base64url');

const oneLine = 'must not contain line breaks, control characters or lone surrogates';
const noCursor = 'cursor: is not a cursor of this list';
const day = 'must be a date such as 2026-11-30';
const years = 'must be a date between 2000-01-01 and 2999-12-31';
const idList = 'ids: must be ids of at most 50 templates, separated by commas';
const [january, february] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];

describe('a query is refused with the name of its parameter', () => {
  test.each<[string, string]>([
    ['templates?limit=0', 'limit: must be at least 1'],
    ['templates?limit=-1', 'limit: must be at least 1'],
    ['templates?limit=1001', 'limit: must be at most 1,000'],
    ['templates?limit=1.5', 'limit: must be a whole number'],
    ['templates?limit=', 'limit: must be a whole number'],
    ['templates?limit=Infinity', 'limit: must be a whole number'],
    ['templates?limit=1&limit=2', 'limit: is given more than once'],
    ['templates?cursor=', noCursor],
    ['templates?cursor=garbage', noCursor],
    ['templates?cursor=dHBsXw', noCursor],
    [`templates?cursor=${cursorOf('doc')}`, noCursor],
    [`templates?cursor=${'a'.repeat(201)}`, 'cursor: must have at most 200 characters'],
    ['templates?name=', 'name: must have at least 1 characters'],
    ['templates?name=%00', `name: ${oneLine}`],
    [`templates?name=${'a'.repeat(201)}`, 'name: must have at most 200 characters'],
    ['templates/statistics', 'ids: is missing'],
    ['templates/statistics?ids=', idList],
    ['templates/statistics?ids=tpl_1', idList],
    [`templates/statistics?ids=${Array(51).fill(template).join(',')}`, idList],
    [`templates/statistics?ids=${template}&days=0`, 'days: must be at least 1'],
    [`templates/${template}/thumbnail?version=0`, 'version: must be at least 1'],
    ['jobs?status=done', 'status: must be queued, running, succeeded, failed or cancelled'],
    ['jobs?templateId=5', 'templateId: must be the id of a template'],
    ['jobs?batchId=1', 'batchId: must be the id of a batch'],
    [`jobs?cursor=${cursorOf('tpl')}`, noCursor],
    ['jobs?format=odt', 'format: must be docx, pdf or xml'],
    ['jobs?test=yes', 'test: must be true or false'],
    ['jobs?search=a', 'search: must have at least 2 characters'],
    [`jobs?search=${'x'.repeat(321)}`, 'search: must have at most 320 characters'],
    ['jobs?from=yesterday', 'from: must be a time such as 2026-11-30T12:00:00Z'],
    ['jobs?to=1999-01-01T00:00:00Z', 'to: must be a time between the years 2000 and 2999'],
    [`jobs?from=${february}&to=${january}`, 'from: must be before to'],
    [`jobs?from=${january}&to=${january}`, 'from: must be before to'],
    ['deliveries?cursor=abc', noCursor],
    ['deliveries?search=x', 'search: must have at least 2 characters'],
    [`deliveries?from=${february}&to=${january}`, 'from: must be before to'],
    ['assets?cursor=dHBsXzAx', noCursor],
    ['fonts?name=a%0ab', `name: ${oneLine}`],
    ['fonts?script=thai', 'script: must be a script such as Arab or Hans'],
    ['account/keys?limit=0', 'limit: must be at least 1'],
    ['account/keys?cursor=x', noCursor],
    ['account/usage?from=yesterday', `from: ${day}`],
    ['account/usage?to=2026-13-01', `to: ${day}`],
    ['account/usage?from=2026-02-02&to=2026-02-01', 'from: must not be after to'],
    ['account/usage?from=2024-01-01&to=2026-01-01', 'from: must be at most 366 days before to'],
    ['account/usage?from=0000-01-01&to=0000-01-02', `from: ${years}`],
    ['account/usage?to=1999-12-31', `to: ${years}`],
    ['account/usage?templateId=x', 'templateId: must be the id of a template'],
    ['account/usage?groupBy=week', 'groupBy: must be day, template, key or dayAndTemplate'],
  ])('%s', async (path, refusal) => {
    const { message, details } = expectProblem(await client.call('GET', `/v1/${path}`), 400);
    expect(message).toBe(refusal);
    const [field = ''] = refusal.split(':');
    expect(details?.[0]).toEqual({ type: 'Field', path: field, message: refusal.slice(field.length + 2) });
  });

  test.each(['', 'limit=01', 'limit=%31', 'limit=1000', 'unknown=x&unknown=y', '&&', `cursor=${cursorOf('tpl')}`])(
    'the query ?%s is accepted too',
    async (query) => expect((await client.call('GET', `/v1/templates?${query}`)).status).toBe(admitted),
  );

  test('a parameter given twice is refused, even where the request would be charged', async () => {
    const call = (path: string) => client.call('POST', `/v1/templates/${template}/${path}`, { json: { data: {} } });
    expectProblem(await call('generate?version=1&version=1'), 400, /^version: is given more than once$/);
    expectProblem(await call('batches?version=1&version=2'), 400, /^version: is given more than once$/);
  });

  test('the queries of a re-upload and of a validation', async () => {
    const body = () => uploadForm('a.docx', Buffer.from('PK'));
    const put = await client.call('PUT', `/v1/templates/${template}/content?strictSchema=yes`, { body: body() });
    expectProblem(put, 400, /^strictSchema: must be true or false$/);
    for (const [query, message] of [
      ['locale=nowhere-at-all', /^locale: must be a language/],
      ['timezone=Mars/Olympus', /^timezone: must be a time zone/],
      ['replaces=bill', /^replaces: must be the id of a template$/],
    ] as const)
      expectProblem(await client.call('POST', `/v1/templates/validate?${query}`, { body: body() }), 400, message);
  });
});

describe('a body is refused with the name of its field', () => {
  const good = { url: 'https://example.com/hook', events: ['document.failed'] };
  test.each<[string, unknown, string | RegExp]>([
    ['no address', { events: good.events }, 'url: is missing'],
    ['an address that is null', { ...good, url: null }, 'url: must be a string, not null'],
    ['no events', { url: good.url }, 'events: is missing'],
    ['an empty list', { ...good, events: [] }, /^events: must/],
    ['an unknown event', { ...good, events: ['document.lost'] }, /^events\[0\]: must be /],
    ['an event twice', { ...good, events: ['email.failed', 'email.failed'] }, 'events: must name each event once'],
    ['an unknown field', { ...good, secret: 'whsec_own' }, 'secret: is not a known field'],
    ['another protocol', { ...good, url: 'ftp://example.com/' }, 'url: must begin with https://'],
    ['a password', { ...good, url: 'https://a:b@example.com/' }, /^url: .*user name/],
    ['a private address', { ...good, url: 'https://10.0.0.1/' }, /^url: .*private/],
    ['a null character', { ...good, description: 'a\0' }, /^description: must not contain null characters/],
  ])('a webhook with %s', async (_what, body, message) => {
    expectProblem(await client.call('POST', '/v1/webhooks', { json: body }), 400, message);
  });

  test.each<[unknown, string]>([
    [{}, 'name: is missing'],
    [{ name: null }, 'name: must be a string, not null'],
    [{ name: 1 }, 'name: must be a string'],
    [{ name: 'a\ud800.docx' }, 'name: must not contain control characters'],
    [{ name: 'a.docx', version: 2 }, 'version: is not a known field'],
    [[], 'body: must be an object'],
  ])('a template cannot be renamed to %j', async (json, message) => {
    expect(expectProblem(await rename(json), 400).message).toBe(message);
  });

  test.each([
    ['', 'must end with .docx'],
    ['.docx', 'must end with .docx'],
    ['a.docx.pdf', 'must end with .docx'],
    ['a.docx ', 'must end with .docx'],
    ['../a.docx', 'must not contain a path'],
    ['C:\\a.docx', 'must not contain a path'],
    ['a\0.docx', 'must not contain control characters'],
    ['a\u202excod.docx', 'must not contain control characters'],
    ['a\ufffe.docx', 'must not contain control characters'],
    [`${'é'.repeat(196)}.docx`, 'is longer than 200 characters'],
  ])('the name %j of a template, in JSON and in a form', async (name, message) => {
    expect(expectProblem(await rename({ name }), 400).message).toBe(`name: ${message}`);
    const { details } = expectProblem(await validate(uploadForm(name, Buffer.from('PK'))), 400);
    expect(details?.[0]).toEqual({ type: 'Field', path: 'name', message });
  });

  test.each(['a.docx', 'A.DOCX', 'Ä 見積 😀.docx', "it's 100% (final).docx", '...docx', `${'😀'.repeat(195)}.docx`])(
    'the name %s is accepted too',
    async (name) => {
      expect((await rename({ name })).status).toBe(admitted);
      expect((await validate(uploadForm(name, Buffer.from('PK')))).status).toBe(admitted);
    },
  );

  test.each([
    ['', 'must not be empty, nor begin or end with a space'],
    [' logo.png', 'must not be empty, nor begin or end with a space'],
    ['../logo.png', 'must not contain a path'],
    ['a\u202egnp.png', 'must not contain control characters'],
    ['x'.repeat(201), 'is longer than 200 characters'],
    ['ast_01hx5s3k2v9m8q7r6t5w4y3z2a', 'must not look like an id'],
  ])('the name "%s" of an asset', async (name, message) => {
    const body = besideFile(['name', name]);
    expect(expectProblem(await client.call('POST', '/v1/assets', { body }), 400).message).toBe(`name: ${message}`);
  });

  test('the parts of an asset or a font', async () => {
    const send = (path: string, ...parts: readonly Part[]) => client.call('POST', path, { body: formOf(parts) });
    expectProblem(await send('/v1/assets', ['file', 'PK', 'a.png']), 400, 'name: is missing');
    expectProblem(await send('/v1/assets', ['name', 'a.png']), 400, 'file: is missing');
    expectProblem(await send('/v1/assets', ['name', 'a.png'], ['file', '', 'a.png']), 400, 'file: is empty');
    const large: Part = ['file', Buffer.alloc(5 * 1024 * 1024 + 1), 'a.png'];
    expectProblem(await send('/v1/assets', ['name', 'a.png'], large), 400, 'file: is larger than 5 MB');
    for (const name of ['a\0b', 'a\u001bb', 'x'.repeat(201), ''])
      expectProblem(await send('/v1/fonts', ['name', name], ['file', 'x', 'f.ttf']), 400, /^name: must/);
  });

  const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`key${n}`, 'x']));
  const locales = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`en-x-a${n}`, {}]));
  test.each<[string, unknown, string]>([
    ['no words', undefined, 'words: is missing'],
    ['words that are a text', { de: 'x' }, 'words.de: must be an object'],
    ['a word that is a number', { de: { total: 1 } }, 'words.de.total: must be a string'],
    ['a locale that is none', { de_DE: {} }, 'words.de_DE: is not a locale: write one such as en, de or de-AT'],
    ['a locale twice', { de: {}, DE: {} }, 'words.DE: is given twice, in upper and lower case'],
    ['101 locales', locales, 'words: must have at most 100 locales'],
    ['an empty key', { de: { '': 'x' } }, 'words.de.: must have a key of 1 to 200 characters'],
    ['a null character', { de: { total: 'a\0b' } }, 'words.de.total: must not contain control characters'],
    ['half a surrogate', { de: { total: '\ud800' } }, 'words.de.total: must not contain control characters'],
    ['a long word', { de: { total: 'x'.repeat(10_001) } }, 'words.de.total: must have at most 10,000 characters'],
    ['20,001 words', { de: many }, 'words: must have at most 20,000 words'],
    ['a megabyte', { de: { total: 'x'.repeat(1024 * 1024) } }, 'words: must be at most 1 MB'],
  ])('a dictionary with %s', async (_what, words, message) => {
    const answer = await client.call('PUT', '/v1/dictionary', { json: { words } });
    expect(expectProblem(answer, 400).message).toBe(message);
  });

  test.each<[string, object, string]>([
    ['no data', { data: undefined }, 'data: is missing'],
    ['an unknown field', { callbackUrl: 'https://example.com' }, 'callbackUrl: is not a known field'],
    ['an e-mail', { output: { email: {} } }, 'output.email: is not a known field'],
    ['a password', { output: { pdf: { password: 'x' } } }, 'output.pdf.password: is not a known field'],
    [
      'PDF options of a .docx',
      { output: { format: 'docx', pdf: {} } },
      'output.pdf: can only be given when output.format is pdf',
    ],
    ['too many pages', { preview: { pages: 21 } }, 'preview.pages: must be at most 20'],
    ['too many dots', { preview: { format: 'png', dpi: 201 } }, 'preview.dpi: must be at most 200'],
    ['too few dots', { preview: { format: 'png', dpi: 35 } }, 'preview.dpi: must be at least 36'],
    ['a page of a PDF', { preview: { page: 2 } }, 'preview.page: can only be given when preview.format is png'],
    ['dots of a PDF', { preview: { dpi: 96 } }, 'preview.dpi: can only be given when preview.format is png'],
    [
      'pages of a picture',
      { preview: { format: 'png', pages: 2 } },
      'preview.pages: can only be given when preview.format is pdf',
    ],
    ['an impossible id', { templateId: 'x' }, 'templateId: must be the id of a template'],
    ['the version 0', { version: 0 }, 'version: must be at least 1'],
  ])('a preview with %s', async (_what, change, message) => {
    const request = { templateId: template, data: {}, ...change };
    const answer = await client.call('POST', '/v1/templates/preview', { json: request });
    expect(expectProblem(answer, 400).message).toBe(message);
  });

  test('the form of a preview', async () => {
    const post = (...parts: readonly Part[]) => client.call('POST', '/v1/templates/preview', { body: formOf(parts) });
    const file: Part = ['file', 'PK', 'a.docx'];
    expectProblem(await post(['request', '{"data":{}}']), 400, 'file: is missing');
    expectProblem(await post(file), 400, 'request: is missing');
    expectProblem(await post(file, ['request', '{"data":']), 400, /^request: is not valid JSON .at byte 8.$/);
    expectProblem(
      await post(file, ['request', '{"data":{},"templateId":"x"}']),
      400,
      'templateId: is not a known field',
    );
    expectProblem(await post(file, ['request', '{"data":{}}'], ['delimiters', '{{']), 400, /^delimiters: must be two/);
    for (const type of ['text/plain', ''])
      expectProblem(
        await client.call('POST', '/v1/templates/preview', { body: 'x', headers: { 'Content-Type': type } }),
        400,
        'The Content-Type of this request must be application/json, or multipart/form-data with a file',
      );
  });

  test.each<[string, string | Buffer, string]>([
    ['no JSON', '{"a":', 'is not valid JSON'],
    ['a list', '[]', 'must be an object'],
    ['null', 'null', 'must be an object'],
    ['too deep', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'nests deeper than 64 levels'],
    ['too large', JSON.stringify({ a: 'x'.repeat(11 * 1024 * 1024) }), 'is larger than 10 MB'],
    ['no UTF-8', Buffer.from('{"a":"\xe9"}', 'latin1'), 'is not valid UTF-8'],
  ])('sample data that is %s', async (_what, sample, message) => {
    const { details } = expectProblem(await validate(besideFile(['sampleData', sample, 'd.json'])), 400);
    expect(details).toEqual([{ type: 'Field', path: 'sampleData', message: expect.stringContaining(message) }]);
  });

  test.each<[string, string]>([
    ['delimiters', '{{'],
    ['delimiters', '(( ))'],
    ['delimiters', '{{ {{'],
    ['delimiters', '%% %%'],
    ['unlikelyTags', 'maybe'],
    ['name', 'bill.odt'],
  ])('the part %s with "%s" of a validation', async (name, value) => {
    const { details } = expectProblem(await validate(besideFile([name, value])), 400);
    expect(details).toEqual([expect.objectContaining({ type: 'Field', path: name })]);
  });
});

describe('the Content-Encoding of a body', () => {
  const form = rawBody(nameHead, 'b.docx\r\n', fileHead, 'PK', '\r\n--x--\r\n');
  const bodies: readonly (readonly [string, string, Buffer, Readonly<Record<string, string>>])[] = [
    ['PUT', `/v1/templates/${template}`, Buffer.from('{"name":"a.docx"}'), json],
    ['POST', '/v1/templates/validate', form, ownBoundary],
    ['POST', '/v1/assets', form, ownBoundary],
  ];
  const send = (encoding: string, encode: (body: Buffer) => Buffer, at: number) => {
    const [method, path, body, headers] = bodies[at] ?? ['', '', form, {}];
    const init = { body: new Uint8Array(encode(body)), headers: { ...headers, 'Content-Encoding': encoding } };
    return client.call(method, path, init);
  };

  test.each<[string, (body: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    [' X-GZIP ', gzipSync],
    ['deflate', deflateSync],
    ['', (body) => body],
    [' Identity ', (body) => body],
  ])('may be "%s"', async (encoding, encode) => {
    for (const at of bodies.keys()) expect((await send(encoding, encode, at)).status).toBe(admitted);
  });

  test.each(['compress', 'gzip, br', 'gzip, gzip', 'utf-8', '__proto__', 'x', '*'])(
    'is refused with a list of supported encodings: "%s"',
    async (encoding) => {
      for (const at of bodies.keys()) {
        const answer = await send(encoding, (body) => body, at);
        expectProblem(answer, 415, /^The Content-Encoding must be one of gzip, deflate, br/);
        expect(answer.headers.get('Accept-Encoding')).toMatch(/^gzip, deflate, br(, zstd)?$/);
      }
    },
  );

  test('must match every byte of the body', async () => {
    for (const at of bodies.keys())
      for (const encode of [(body: Buffer) => body, (body: Buffer) => gzipSync(body).subarray(0, -10)])
        expectProblem(
          await send('gzip', encode, at),
          400,
          'The request body is not valid gzip, which its Content-Encoding names',
        );
  });

  test('cannot hide a body of more than 10 MB, or of ten gigabytes', async () => {
    const large = gzipSync(Buffer.alloc(10 * 1024 * 1024 + 1, ' '));
    expectProblem(await send('gzip', () => large, 0), 400, 'The request body is larger than 10 MB');
  });
});
