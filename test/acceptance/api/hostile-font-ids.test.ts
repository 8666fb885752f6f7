import { beforeAll, expect, inject, test } from 'vitest';
import { expectProblem, expectProblemShape } from '../../support/client/api-client.ts';
import { connectRaw } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { formOf, ownBoundary, rawBody } from './form-bodies.ts';

const { newClient, url } = await useService(inject('stack'));
const unknown = `fnt_${'0'.repeat(26)}`;

let client: TestClient;
let kept: string;
beforeAll(async () => {
  client = await newClient();
  const font = formOf([['file', buildFont({ family: 'Kept' }), 'kept.ttf']]);
  kept = (await client.call('POST', '/v1/fonts', { body: font })).json<{ readonly id: string }>().id;
});

/** Targets as they are sent: no client normalizes them. `id` is a font of the account. */
const hostile: Readonly<Record<string, (id: string) => readonly string[]>> = {
  'paths that lead elsewhere': (id) => [
    ...['..', '%2e%2e', '..%2f..%2fetc%2fpasswd', '%2E%2E%2F%2E%2E%2Fetc%2Fpasswd', '..%5c..%5cwindows'],
    ...[`..%2ffonts%2f${id}`, `${id}%2f..`, `${id}%2f`, `%2f${id}`, `${id}/..%2f${id}`, `x/%2e%2e/%252e%252e/${id}`],
    ...['%c0%ae%c0%ae%c0%af', '%252e%252e%252f', 'file:%2f%2f%2fetc%2fpasswd', `${id}%5c..%5c${id}`],
  ],
  'control characters and broken encodings': (id) => [
    ...[
      '%00',
      `${id}%00`,
      `%00${id}`,
      `${id}%00.ttf`,
      `${id}%0d%0aX-Header:%20yes`,
      `${id}%0a`,
      `${id}%20`,
      `%09${id}`,
    ],
    ...['%ff%fe', '%', '%zz', `${id}%`, `${id}%e2%80`, '%ed%a0%80', `${id}%7f`, `${id}%c2%85`],
  ],
  'ids that look alike': (id) => [
    ...[id.toUpperCase(), id.replace('fnt_', 'FNT_'), `${id}0`, id.slice(0, -1), id.slice(4), `${id};v=1`, `${id}.ttf`],
    ...['fnt', '０', 'ｆｎｔ_', 'fnt＿', 'fnt\u200b_', '\u202efnt_', '\ufefffnt_', 'fոt_', 'fnt_\u0301'].map((text) =>
      encodeURIComponent(id.replace('fnt_', text)),
    ),
    encodeURIComponent(id.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))),
  ],
  'ids of another kind or size': () => [
    ...[`tpl_${'0'.repeat(26)}`, `doc_${'0'.repeat(26)}`, unknown, '__proto__', 'constructor', 'installed', 'account'],
    ...['null', 'undefined', '-1', '*', '%27%20or%201=1--', '%24%7Bjndi%7D', '%7B%7D', '%3F', '%23', '[]'],
    ...[
      'a'.repeat(10_000),
      encodeURIComponent('字'.repeat(1_000)),
      `${unknown},${unknown}`,
      `fnt_${'f'.repeat(5_000)}`,
    ],
  ],
};

test.each(Object.keys(hostile))('fonts are not found, changed or revealed by %s', async (kind) => {
  const targets = hostile[kind]?.(kept) ?? [];
  expect(targets.length).toBeGreaterThan(10);
  for (const method of ['GET', 'DELETE']) {
    for (const target of targets) {
      const connection = await connectRaw(url);
      await connection.send(
        `${method} /v1/fonts/${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.apiKey}\r\nConnection: close\r\n\r\n`,
      );
      const answer = await connection.answer();
      connection.close();
      const what = `${method} ${target.slice(0, 80)}: ${answer.status} ${answer.bytes.toString().slice(0, 200)}`;
      expect([400, 404, 405], what).toContain(answer.status);
      expect(answer.headers.get('X-Header'), what).toBeNull();
      expectProblemShape(answer);
    }
  }
  expect((await client.call('GET', `/v1/fonts/${kept}`)).status).toBe(200);
});

test('a font of another account cannot be read, deleted or replaced', async () => {
  const other = await newClient();
  for (const method of ['GET', 'DELETE']) {
    const foreign = await other.call(method, `/v1/fonts/${kept}`);
    const nobodys = await other.call(method, `/v1/fonts/${unknown}`);
    expectProblem(foreign, 404);
    expect(foreign.bytes.toString()).toBe(nobodys.bytes.toString());
  }
  const same = formOf([['file', buildFont({ family: 'Kept', advance: 300 }), 'kept.ttf']]);
  const theirs = await other.call('POST', '/v1/fonts', { body: same });
  expect([theirs.status, theirs.json<{ readonly id: string }>().id]).not.toEqual([200, kept]);
  const before = await client.call('GET', `/v1/fonts/${kept}`);
  expect(before.json()).toMatchObject({ id: kept, family: 'Kept', createdAt: before.json<Times>().updatedAt });
});

interface Times {
  readonly updatedAt: string;
}

test('names and filters with control characters are refused, and file names never become paths', async () => {
  for (const query of ['name=%00', 'name=a%0ab', 'script=..%2f', 'cursor=%00', 'cursor=..%2f..', 'name='])
    expectProblem(await client.call('GET', `/v1/fonts?${query}`), 400);
  const part = (name: string, rest = '') => `--x\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`;
  const font = buildFont({ family: 'Path Boxes' });
  const send = (...parts: readonly (string | Uint8Array)[]) =>
    client.call('POST', '/v1/fonts', { body: new Uint8Array(rawBody(...parts)), headers: ownBoundary });
  for (const name of ['a\0b', 'a\u001bb', 'x'.repeat(201), ''])
    expectProblem(
      await send(part('name'), `${name}\r\n`, part('file', '; filename="f.ttf"'), font, '\r\n--x--\r\n'),
      400,
    );
  for (const file of ['../../../../etc/fonts/fonts.conf', '..\\\\..\\\\x.ttf', '/etc/passwd', 'a%00.ttf']) {
    const answer = await send(part('file', `; filename="${file}"`), font, '\r\n--x--\r\n');
    expect([200, 201], answer.bytes.toString()).toContain(answer.status);
    expect(answer.json()).toMatchObject({ name: 'Path Boxes', family: 'Path Boxes' });
  }
});
