import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { desktop, useBrowser } from '../../pages/use-browser.ts';

const { newClient, url } = await useService(inject('stack'));
const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'docmill-packed-'));
const installed = join(folder, 'node_modules/@docmill/client');
const open = useBrowser((address) => address.startsWith(`${url}/`) || address.startsWith('data:'));
let client: TestClient;

// Also the figures of the package's README.
const maxMinifiedBytes = 24_000;
const maxCompressedBytes = 9_000;

beforeAll(async () => {
  const npm = ['pack', '--silent', '--workspace', '@docmill/client', '--pack-destination', folder];
  const { stdout } = await execute('npm', npm);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const archive = stdout.trim().split('\n').at(-1) ?? '';
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: folder });
  cpSync(resolve(import.meta.dirname, 'smoke.mjs'), join(folder, 'smoke.mjs'));
  client = await newClient();
  await client.template('packed.docx', buildDocx({ body: paragraph('Dear {name}') }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package has its code, types and licence, no sources and no dependencies', () => {
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  expect(readdirSync(join(folder, 'node_modules'))).toEqual(['.package-lock.json', '@docmill']);
  expect(readdirSync(join(installed, 'dist')).filter((name) => !/\.(js|d\.ts)$/.test(name))).toEqual([]);
});

// `scripts/test-client-runtimes` installs other runtimes here.
const cache = resolve('node_modules/.cache/runtimes/node_modules');
const node = existsSync(cache) ? readdirSync(cache).find((name) => name.startsWith('node-')) : undefined;
const runtimes = {
  [`Node.js ${process.versions.node}`]: [process.execPath],
  ...(node !== undefined && { 'the Node.js of the image': [join(cache, node, 'bin/node')] }),
  ...(existsSync(join(cache, '.bin/deno')) && {
    Deno: [join(cache, '.bin/deno'), 'run', '--quiet', '--no-prompt', '--allow-env', '--allow-net'],
  }),
  ...(existsSync(join(cache, '.bin/bun')) && { Bun: [join(cache, '.bin/bun')] }),
};

test.each(Object.entries(runtimes))('plain JavaScript uses it with %s', async (_, [program = '', ...words]) => {
  const env = { DOCMILL_URL: url, DOCMILL_API_KEY: client.apiKey, TEMPLATE: 'packed.docx' };
  const run = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } };
  const { stdout, stderr } = await execute(program, [...words, 'smoke.mjs'], run);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    start: '%PDF-',
    isStreamed: true,
    succeeded: 3,
    rows: [1, 2, 3],
    isMissing: true,
    isForged: true,
  });
});

describe('its types', () => {
  const program = [
    "import { Docmill, type Document } from '@docmill/client';",
    "const docmill = new Docmill({ apiKey: 'k', baseUrl: 'http://localhost' });",
    "const made: Document = await docmill.templates.generate('tpl_1', { name: 'Ada' }, { format: 'pdf' });",
    'const bytes: Uint8Array = await made.bytes();',
    'for await (const { id } of docmill.jobs.list({ limit: bytes.length })) id satisfies string;',
    "await docmill.templates.generate('tpl_1', {}, { format: 'odt' });",
    "await docmill.jobs.list({ status: 'unheard of' }).all();",
    'export {};',
  ];
  const compilers = [resolve('package.json'), resolve('clients/typescript/package.json')].map((from) =>
    dirname(createRequire(from).resolve('typescript/package.json')),
  );
  const settings = [
    { module: 'nodenext', lib: ['es2022'], types: ['node'], typeRoots: [resolve('node_modules/@types')] },
    { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  ];

  test.each(compilers.flatMap((compiler) => settings.map((options) => ({ compiler, options }))))(
    'are checked by $compiler with $options.module and $options.lib',
    async ({ compiler, options }) => {
      // The types of Node.js are not ours to check; ours are without them.
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'es2022',
        skipLibCheck: options.types.length > 0,
        ...options,
      };
      writeFileSync(join(folder, 'program.ts'), program.join('\n'));
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      const { stdout } = await execute(process.execPath, [join(compiler, 'bin/tsc'), '-p', folder]).catch(
        (error: { readonly stdout: string }) => error,
      );
      const places = Array.from(stdout.matchAll(/^(?:.*\/)?(\S+?)\((\d+),/gm), ([, file, line]) => `${file}:${line}`);
      expect(places, stdout).toEqual(['program.ts:6', 'program.ts:7']);
    },
  );
});

const bundle = async (contents: string, format: 'esm' | 'iife') => {
  const stdin = { contents, resolveDir: folder };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, write: false, format, target: 'es2022' });
  return outputFiles[0]?.text ?? '';
};

test('its bundle is small, and its README says how small', async () => {
  const text = await bundle("export * from '@docmill/client'", 'esm');
  const sizes = { minified: text.length, compressed: gzipSync(text).length };
  expect(sizes.minified, JSON.stringify(sizes)).toBeLessThan(maxMinifiedBytes);
  expect(sizes.compressed, JSON.stringify(sizes)).toBeLessThan(maxCompressedBytes);
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  expect(readme).toContain(`less than ${maxMinifiedBytes / 1000} kB, ${maxCompressedBytes / 1000} kB compressed`);
});

test('a browser generates, iterates and sends rows', async () => {
  const script = await bundle("import { Docmill } from '@docmill/client'; globalThis.Docmill = Docmill;", 'iife');
  const { page, problems } = await open(`${url}/`, desktop);
  await page.evaluate(script);
  const used = `(async () => {
    const docmill = new Docmill({ baseUrl: location.origin, apiKey: ${JSON.stringify(client.apiKey)} });
    const { id } = await docmill.templates.find('packed.docx');
    const made = await docmill.templates.generate(id, { name: 'Ada' }, { format: 'pdf' });
    const start = new TextDecoder().decode((await made.bytes()).subarray(0, 5));
    async function* people() { for (const name of ['Ada', 'Grace', 'Joan']) yield { name }; }
    const seen = [];
    const outcomes = [];
    for (const rows of [people(), { ndjson: new Blob(['{"name":"Ada"}\\n']).stream() }]) {
      const batch = await docmill.batches.create(id, rows);
      const { counts } = await batch.wait({ onProgress: ({ status }) => seen.push(status) });
      outcomes.push(counts.succeeded);
    }
    const jobs = await docmill.jobs.list({ limit: 2, templateId: id }).all();
    const uploaded = await docmill.templates.upload('again.docx', await docmill.templates.download(id));
    const missing = await docmill.templates.get('tpl_00000000000000000000000000').catch(({ name }) => name);
    return { start, documentId: made.id, outcomes, last: seen.at(-1), jobs: jobs.length, uploaded: uploaded.name, missing };
  })()`;
  const result = await page.evaluate<{ readonly jobs: number }>(used);
  expect(result).toMatchObject({
    start: '%PDF-',
    documentId: expect.stringMatching(/^doc_/),
    outcomes: [3, 1],
    last: 'completed',
    uploaded: 'again.docx',
    missing: 'NotFoundError',
  });
  expect(result.jobs).toBeGreaterThanOrEqual(1);
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  await page.unrouteAll({ behavior: 'wait' });
  await page.close();
});
