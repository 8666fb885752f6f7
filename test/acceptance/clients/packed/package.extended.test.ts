import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { useFolder } from '../../../support/folder.ts';
import { desktop, useBrowser } from '../../pages/use-browser.ts';

const { newClient, url } = await useService(inject('stack'));
const execute = promisify(execFile);
const folder = useFolder();
const installed = 'node_modules/@docmill/client';
const open = useBrowser((address) => address.startsWith(`${url}/`) || address.startsWith('data:'));
let client: TestClient;

// The README of the package states these figures too.
const maxMinifiedBytes = 28_000;
const maxCompressedBytes = 10_000;

beforeAll(async () => {
  const npm = ['pack', '--silent', '--workspace', '@docmill/client', '--pack-destination', folder.path];
  const { stdout } = await execute('npm', npm);
  folder.write('package.json', '{"private":true,"type":"module"}');
  const archive = stdout.trim().split('\n').at(-1) ?? '';
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], {
    cwd: folder.path,
  });
  cpSync(resolve(import.meta.dirname, 'smoke.mjs'), folder.at('smoke.mjs'));
  client = await newClient();
  await client.template('packed.docx', buildDocx({ body: paragraph('Dear {name}') }));
});

test('the package contains its code, types and licence, no sources and no dependencies', () => {
  expect(folder.list(installed)).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  expect(folder.list('node_modules')).toEqual(['.package-lock.json', '@docmill']);
  const unknown = (path: string) => folder.list(path).filter((name) => !/\.(js|js\.map|d\.ts)$/.test(name));
  expect(unknown(`${installed}/dist`)).toEqual(['commonjs']);
  expect(unknown(`${installed}/dist/commonjs`)).toEqual(['package.json']);
  const map = JSON.parse(folder.text(`${installed}/dist/docmill.js.map`)) as { sourcesContent: string[] };
  expect(map.sourcesContent[0]).toContain('export class Docmill');
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

test.each(Object.entries(runtimes))(
  'plain JavaScript uses the package with %s',
  async (_, [program = '', ...words]) => {
    const service = { DOCMILL_URL: url, DOCMILL_API_KEY: client.apiKey, TEMPLATE: 'packed.docx' };
    const run = { cwd: folder.path, env: { PATH: process.env.PATH, HOME: folder.path, ...service } };
    const { stdout, stderr } = await execute(program, [...words, 'smoke.mjs'], run);
    expect(stderr).toBe('');
    const used = { start: '%PDF-', isStreamed: true, succeeded: 3, rows: [1, 2, 3], isMissing: true, isForged: true };
    expect(JSON.parse(stdout)).toEqual(used);
  },
);

test('CommonJS programs require the package', async () => {
  folder.write(
    'use.cjs',
    "const { Docmill } = require('@docmill/client'); new Docmill().account.key().then(console.log);",
  );
  const env = { DOCMILL_URL: url, DOCMILL_API_KEY: client.apiKey };
  const { stdout } = await execute(process.execPath, ['--no-experimental-require-module', 'use.cjs'], {
    cwd: folder.path,
    env,
  });
  expect(stdout).toContain(client.keyId);
});

describe('the types of the package', () => {
  const program = [
    "import { Docmill, type Document } from '@docmill/client';",
    "const docmill = new Docmill({ apiKey: 'k', baseUrl: 'http://localhost' });",
    "const made: Document = await docmill.templates.generate('tpl_1', { name: 'Ada' }, { format: 'pdf' });",
    'const bytes: Uint8Array = await made.bytes();',
    'for await (const { id } of docmill.jobs.list({ limit: bytes.length })) id satisfies string;',
    "await docmill.templates.generate('tpl_1', {}, { format: 'odt' });",
    "await docmill.jobs.list({ status: 'unheard of' }).all();",
  ];
  const compilers = [resolve('package.json'), resolve('clients/typescript/package.json')].map((from) =>
    dirname(createRequire(from).resolve('typescript/package.json')),
  );
  const [, olderCompiler = ''] = compilers;
  const settings = [
    { module: 'nodenext', lib: ['es2022'], types: ['node'], typeRoots: [resolve('node_modules/@types')] },
    { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  ];

  const types = { lib: ['es2022', 'dom', 'dom.iterable'], types: [] };
  const commonJs = [
    ...compilers.map((compiler) => ({ compiler, options: { module: 'node16', ...types } })),
    // Without `exports`, as older programs resolve packages.
    { compiler: olderCompiler, options: { module: 'commonjs', moduleResolution: 'node10', ...types } },
  ];
  const modules = compilers.flatMap((compiler) => settings.map((options) => ({ compiler, options })));

  test.each([
    ...modules.map((each) => ({ ...each, file: 'program.ts' })),
    ...commonJs.map((each) => ({ ...each, file: 'program.cts' })),
  ])('are checked by $compiler with $options.module and $options.lib in $file', async ({ compiler, options, file }) => {
    // The types of Node.js are not checked, because ours do not depend on them.
    const strict = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: options.types.length > 0 };
    const [imported = '', ...lines] = program;
    // A CommonJS module has no `await` at its top level.
    const isModule = file === 'program.ts';
    folder.write(file, [imported, ...(isModule ? lines : ['void (async () => {', ...lines, '})();'])].join('\n'));
    const compilerOptions = { ...strict, ...options };
    folder.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
    const compile = execute(process.execPath, [join(compiler, 'bin/tsc'), '-p', folder.path]);
    const { stdout } = await compile.catch((error: { readonly stdout: string }) => error);
    const places = Array.from(stdout.matchAll(/^(?:.*\/)?(\S+?)\((\d+),/gm), ([, file, line]) => `${file}:${line}`);
    expect(places, stdout).toEqual(isModule ? [`${file}:6`, `${file}:7`] : [`${file}:7`, `${file}:8`]);
  });
});

const bundle = async (contents: string, format: 'esm' | 'iife') => {
  const stdin = { contents, resolveDir: folder.path };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, write: false, format, target: 'es2022' });
  return outputFiles[0]?.text ?? '';
};

test('the bundle is small, and the README states its size', async () => {
  const text = await bundle("export * from '@docmill/client'", 'esm');
  const sizes = { minified: text.length, compressed: gzipSync(text).length };
  expect(sizes.minified, JSON.stringify(sizes)).toBeLessThan(maxMinifiedBytes);
  expect(sizes.compressed, JSON.stringify(sizes)).toBeLessThan(maxCompressedBytes);
  const readme = folder.text(`${installed}/README.md`);
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
    return [start, made.id, outcomes, seen.at(-1), jobs.length > 0, uploaded.name, missing];
  })()`;
  const id = expect.stringMatching(/^doc_/);
  const results = ['%PDF-', id, [3, 1], 'completed', true, 'again.docx', 'NotFoundError'];
  expect(await page.evaluate(used)).toEqual(results);
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  await page.unrouteAll({ behavior: 'wait' });
  await page.close();
});
