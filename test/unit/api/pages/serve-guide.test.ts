import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Hono } from 'hono';
import { beforeAll, expect, test } from 'vitest';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { toErrorResponse } from '../../../../src/api/http/problem.ts';
import { serveGuide } from '../../../../src/api/pages/serve-guide.ts';
import { buildSite } from '../../../../tools/site/build-site.ts';
import { useFolders } from '../../../support/folder.ts';
import { writeSmallProject } from '../../../support/site/small-project.ts';

const folder = useFolders()();
const site = join(folder, 'site');
const app = new Hono<ApiEnv>();
app.onError(toErrorResponse);
serveGuide(app, undefined, site);

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  Promise.resolve(app.request(path, { method, headers }));
const asBrowser = { Accept: 'text/html,*/*;q=0.8' };

beforeAll(async () => {
  const unbuilt = await get('/guide/', asBrowser);
  expect(unbuilt.status).toBe(404);
  expect(await unbuilt.text()).toContain('npm run docs');
  const long = 'A sentence that repeats. '.repeat(200);
  writeSmallProject(join(folder, 'project'), {
    'docs/guides/email.md': `# E-mail\n\n${long}\n`,
    'docs/guides/fonts.md': '# Fonts\n',
    'docs/operations/README.md': '# Operations\n',
    'docs/llms.txt':
      '# Docmill\n\n## Authors: templates\n\n- [E-mail](guides/email.md): send. See [this](https://example.com/a).\n\n## Optional\n\n- [API](../openapi.json): all.\n',
  });
  await buildSite(join(folder, 'project'), site);
  // Files beside the site must not be reachable.
  writeFileSync(join(folder, 'secret.txt'), 'secret');
}, 300_000);

test('a site that is built while the service runs is served, with its types and the security policy', async () => {
  const page = await get('/guide/');
  expect(page.status).toBe(200);
  expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(page.headers.get('Content-Security-Policy')).toMatch(
    /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
  );
  expect(page.headers.get('Cache-Control')).toBe('no-cache');
  const html = await page.text();
  const search = await (await get('/guide/search.js')).text();
  const links = [...html.matchAll(/"\.\/(assets\/[^"]+)"/g), ...search.matchAll(/'(assets\/[^']+)'/g)];
  const assets = links.map(([, path]) => path ?? '');
  const types = { css: /^text\/css/, js: /^text\/javascript/, json: /^application\/json/, svg: /^image\/svg/ };
  expect(new Set(assets).size).toBeGreaterThanOrEqual(5);
  for (const path of assets) {
    const asset = await get(`/guide/${path}`);
    expect(asset.status, path).toBe(200);
    expect(asset.headers.get('Cache-Control'), path).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('Content-Type'), path).toMatch(types[path.slice(path.lastIndexOf('.') + 1) as 'css']);
    expect((await asset.arrayBuffer()).byteLength).toBe(Number(asset.headers.get('Content-Length')));
  }
});

test('a page is compressed for clients that accept it, and not sent again while it is unchanged', async () => {
  const plain = await get('/guide/guides/email.html');
  const packed = await get('/guide/guides/email.html', { 'Accept-Encoding': 'gzip, deflate, br' });
  expect(packed.headers.get('Content-Encoding')).toBe('br');
  expect(packed.headers.get('Vary')).toContain('Accept-Encoding');
  const text = await plain.text();
  expect(brotliDecompressSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(text);
  const known = { 'If-None-Match': plain.headers.get('ETag') ?? '' };
  const repeated = await get('/guide/guides/email.html', known);
  expect([repeated.status, await repeated.text()]).toEqual([304, '']);
  expect(repeated.headers.get('ETag')).toBe(plain.headers.get('ETag'));
  expect((await get('/guide/guides/fonts.html', known)).status).toBe(200);
  const head = await get('/guide/guides/email.html', {}, 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(Number(head.headers.get('Content-Length'))).toBe(Buffer.byteLength(text));
});

test.each([
  ['/guide', 'guide/'],
  ['/guide/operations', 'operations/'],
  ['/guide/guides/email', 'email.html'],
])('%s redirects to its page by a relative address', async (path, location) => {
  const answer = await get(path);
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, location]);
});

const deep = `/guide/${'a/'.repeat(2_000)}`;

test.each([
  ['a file that is not listed', '/guide/files.json'],
  ['a compressed copy', '/guide/index.html.br'],
  ['a parent folder', '/guide/%2e%2e/secret.txt'],
  ['an encoded slash', '/guide/..%2fsecret.txt'],
  ['a path that is encoded twice', '/guide/%252e%252e%252fsecret.txt'],
  ['an encoded backslash', '/guide/..%5csecret.txt'],
  ['a backslash', '/guide/..\\secret.txt'],
  ['an empty segment', '/guide//index.html'],
  ['a NUL behind a page', '/guide/index.html%00.txt'],
  ['a NUL', '/guide/%00'],
  ['a folder', '/guide/assets'],
  ['a folder with a slash', '/guide/assets/'],
  ['bytes that are not UTF-8', '/guide/%ff'],
  ['a name of every object', '/guide/__proto__'],
  ['a method of every object', '/guide/constructor'],
  ['a very deep path', deep],
])('%s is not a page', async (_, path) => {
  const answer = await get(path, asBrowser);
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toMatch(/^secret|"index.html":/);
});

test('the page for a missing address finds its styles at any depth; programs get no such page', async () => {
  const missing = await get('/guide/a/b/c', asBrowser);
  expect(missing.status).toBe(404);
  const style = /<link rel="stylesheet" href="([^"]+)"/.exec(await missing.text())?.[1] ?? '';
  const { pathname } = new URL(style, 'http://host/guide/a/b/c');
  expect((await get(pathname)).status).toBe(200);
  const forProgram = await get('/guide/a/b/c', { Accept: 'application/json' });
  expect(await forProgram.json()).toEqual({ error: { status: 404, message: 'The guide has no such page.' } });
});

test('language models get a list of links, each page as Markdown, and all pages in one file', async () => {
  const list = await get('/llms.txt');
  expect(list.headers.get('Content-Type')).toMatch(/^text\/plain; ?charset=utf-8$/i);
  const text = await list.text();
  expect(text).toContain('- [E-mail](guide/guides/email.md): send. See [this](https://example.com/a).');
  expect(text).toContain('- [API](openapi.json)');
  expect(await (await get('/guide/llms.txt')).text()).toContain('- [E-mail](guides/email.md)');
  const page = await get('/guide/guides/email.md');
  expect(page.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
  expect(await page.text()).toMatch(/^# E-mail\n/);
  const full = await (await get('/guide/llms-full.txt')).text();
  expect(full).toContain('# Docmill\n\n<!-- guides/email.md -->\n\n# E-mail\n');
  expect(full).not.toContain('# Fonts');
});
