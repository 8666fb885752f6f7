import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AppError } from '../../../src/shared/errors.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { examplePicture } from '../../../src/worker/docx/features/images/picture-data.ts';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { createDocxPool, type DocxPool, type DocxPoolOptions } from '../../../src/worker/docx/sandbox/docx-pool.ts';
import { descendants } from '../../faults/harness/measure.ts';
import { buildDocx, paragraph, table } from '../../support/documents/docx-builder.ts';
import { textOf } from '../../unit/docx/render/fill.ts';

let pool: DocxPool | undefined;

function start(options: Partial<DocxPoolOptions> = {}): DocxPool {
  pool = createDocxPool({
    processes: 1,
    renderTimeoutMs: 10_000,
    inspectTimeoutMs: 10_000,
    heapMb: 512,
    maxQueue: 100,
    templateCacheBytes: 8 * 1024 * 1024,
    logger: createLogger('silent', 'test'),
    ...options,
  });
  return pool;
}

afterEach(async () => {
  await pool?.close();
});

const letter = buildDocx({ body: paragraph('Dear {name}') });
const rows = buildDocx({ body: table([['{#rows}{a}', '{b}{/rows}']]) });
const heavyData = Buffer.from(
  JSON.stringify({ rows: Array.from({ length: 199_000 }, (_, i) => ({ a: i, b: 'text' })) }),
);

async function greet(docx: DocxPool, name: string): Promise<string> {
  const data = Buffer.from(JSON.stringify({ name }));
  const result = await docx.render({ templateKey: 'letter@1', template: letter, data, target: 'docx' });
  return textOf(openPackage(result.docx));
}

function renderHeavy(docx: DocxPool): Promise<unknown> {
  return docx.render({ templateKey: 'rows@1', template: rows, data: heavyData, target: 'docx' });
}

/** Found by the process title, which a dead process no longer has. */
function isDocxProcess(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('docmill-docx');
  } catch {
    return false;
  }
}

async function failure(work: Promise<unknown>): Promise<AppError> {
  return work.then(
    () => Promise.reject(new Error('expected a failure')),
    (error: AppError) => error,
  );
}

describe('the pool of render processes', () => {
  it('inspects and renders', async () => {
    const docx = start();
    expect(await docx.inspect(rows)).toEqual({
      tags: ['a', 'b', 'rows'],
      fonts: ['Carlito'],
      accessibility: expect.any(Array),
      includes: [],
      warnings: [],
      schema: expect.objectContaining({ type: 'object', properties: { rows: expect.anything() } }),
      example: { rows: expect.arrayContaining([{ a: 'A 1', b: 'B 1' }]) },
    });
    expect(await greet(docx, 'Ada')).toBe('Dear Ada');
    expect(docx.status()).toEqual({ processes: 1, busy: 0, waiting: 0, kills: 0, stops: 0 });
  });

  it('gives each of many callers their own document', async () => {
    const docx = start({ processes: 2 });
    const names = Array.from({ length: 60 }, (_, i) => `caller ${i}`);
    expect(await Promise.all(names.map((name) => greet(docx, name)))).toEqual(names.map((name) => `Dear ${name}`));
  });

  it('renders templates that were evicted from the cache and templates that were not', async () => {
    const docx = start({ templateCacheBytes: 4000 });
    for (const round of ['first', 'second']) {
      for (let i = 0; i < 5; i++) {
        const template = buildDocx({ body: paragraph(`${i} {name}`) });
        const data = Buffer.from(JSON.stringify({ name: round }));
        const result = await docx.render({ templateKey: `t${i}@1`, template, data, target: 'docx' });
        expect(textOf(openPackage(result.docx))).toBe(`${i} ${round}`);
      }
    }
  });

  it('keeps versions of a template apart', async () => {
    const docx = start();
    const render = async (templateKey: string, body: string) => {
      const request = { templateKey, template: buildDocx({ body: paragraph(body) }), data: Buffer.from('{"x":1}') };
      return textOf(openPackage((await docx.render({ ...request, target: 'docx' })).docx));
    };
    expect([await render('t@1', 'one {x}'), await render('t@2', 'two {x}'), await render('t@1', 'one {x}')]).toEqual([
      'one 1',
      'two 1',
      'one 1',
    ]);
  });

  it('prints the words of the account beside what a template includes, and keeps dictionaries apart', async () => {
    const docx = start();
    const template = buildDocx({ body: paragraph('{include "terms"}') + paragraph('{"total" | translate}') });
    const terms = buildDocx({ body: paragraph('{"due" | translate} {x}') });
    const render = async (dictionary: string, words: object | undefined) => {
      const { docx: file } = await docx.render({
        templateKey: `t@1 ${dictionary}`,
        template,
        accountWords: words && Buffer.from(JSON.stringify({ en: words })),
        data: Buffer.from('{"x":1}'),
        target: 'docx',
        loadIncludes: async () => new Map([['terms', terms]]),
      });
      return textOf(openPackage(file)).replaceAll(/\n+/g, ' ').trim();
    };
    expect(await render('first', { total: 'Total', due: 'Due' })).toBe('Due 1 Total');
    expect(await render('second', { total: 'Sum' })).toBe('due 1 Sum');
    expect(await render('none', undefined)).toBe('due 1 total');
    expect(await render('first', { total: 'Total', due: 'Due' })).toBe('Due 1 Total');
    const report = await docx.inspect(letter, { accountWords: Buffer.from('{}') });
    expect(report.tags).toEqual(['name']);
  });

  it("does not modify or detach the caller's bytes, shared ones included", async () => {
    const docx = start();
    const shared = new Uint8Array(new SharedArrayBuffer(letter.length));
    shared.set(letter);
    const data = Buffer.from('{"name":"Ada"}');
    for (const [i, template] of [letter, shared].entries()) {
      const result = await docx.render({ templateKey: `${i}`, template, data, target: 'docx' });
      expect(textOf(openPackage(result.docx))).toBe('Dear Ada');
      expect(await docx.inspect(template)).toMatchObject({ tags: ['name'] });
    }
    expect(data.toString()).toBe('{"name":"Ada"}');
    expect(shared.byteLength).toBe(letter.length);
  });

  it('reports errors with their details', async () => {
    const docx = start();
    const render = (template: Uint8Array, data: string) =>
      docx.render({ templateKey: data, template, data: Buffer.from(data), target: 'docx' });
    expect(await failure(render(letter, '{"name":{}}'))).toMatchObject({
      code: 'data_invalid',
      details: [{ type: 'Field', path: 'data.name' }],
    });
    expect(await failure(docx.inspect(Buffer.from('no zip')))).toMatchObject({ code: 'template_invalid', status: 400 });
    expect(await failure(render(buildDocx({ body: paragraph('{name') }), '{}'))).toMatchObject({
      code: 'template_invalid',
      details: [{ tag: '{name' }],
    });
    expect(docx.status().kills).toBe(0);
  });

  it('loads each asset that the data names once, and reports those that do not exist', async () => {
    const docx = start();
    const template = buildDocx({ body: paragraph('{%logo}{%again}{#signed}{%logo}{/signed}') });
    const picture = Buffer.from(examplePicture, 'base64');
    const requestedNames: (readonly string[])[] = [];
    const render = (data: object, known: Record<string, Uint8Array>, target: 'docx' | 'pdf' = 'docx') =>
      docx.render({
        templateKey: 'logo@1',
        template,
        data: Buffer.from(JSON.stringify(data)),
        target,
        loadAssets: async (names) => {
          requestedNames.push(names);
          return new Map(Object.entries(known));
        },
      });
    const data = { logo: { asset: 'logo.png' }, again: { asset: 'logo.png', width: '2cm' }, signed: true };
    for (const target of ['docx', 'pdf'] as const) {
      const { docx: file } = await render(data, { 'logo.png': picture }, target);
      const media = openPackage(file).partNames.filter((name) => name.includes('/media/'));
      expect(media.map((name) => openPackage(file).read(name))).toEqual([picture]);
    }
    expect(requestedNames).toEqual([['logo.png'], ['logo.png']]);
    expect(await failure(render(data, {}))).toMatchObject({
      code: 'data_invalid',
      details: [
        { path: 'data.logo.asset', message: 'The value of {%logo} names an asset that does not exist.' },
        { path: 'data.again.asset' },
      ],
    });
    expect((await failure(render({ ...data, again: 7 }, {}))).details).toMatchObject([{ path: 'data.again' }]);
    expect(requestedNames).toHaveLength(3);
    expect(docx.status().kills).toBe(0);
  });

  it('renders SVG and barcodes in its processes', async () => {
    const docx = start();
    const template = buildDocx({ body: paragraph('{%logo}{%barcode code "ean13"}') });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    const data = Buffer.from(JSON.stringify({ logo: Buffer.from(svg).toString('base64'), code: '4006381333931' }));
    for (const templateKey of ['first', 'second']) {
      const { docx: file } = await docx.render({ templateKey, template, data, target: 'docx' });
      expect(openPackage(file).partNames.filter((name) => name.endsWith('.png'))).toHaveLength(2);
    }
    expect(docx.status().kills).toBe(0);
  });

  it('kills a process at its time limit, and does the next job in a new one', async () => {
    const docx = start({ renderTimeoutMs: 60 });
    await greet(docx, 'warm').catch(() => undefined);
    const error = await failure(renderHeavy(docx));
    expect(error).toMatchObject({
      code: 'render_limit',
      message: 'Filling the template took longer than 0.06 seconds.',
    });
    expect(docx.status().kills).toBeGreaterThan(0);
    expect(await docx.inspect(letter)).toMatchObject({ tags: ['name'] });
  });

  it('reports that checking a template takes too long', async () => {
    const docx = start({ inspectTimeoutMs: 20 });
    const error = await failure(docx.inspect(buildDocx({ body: paragraph('{x}'.repeat(19_999)) })));
    expect(error).toMatchObject({ code: 'template_invalid', message: 'Template validation errors' });
    expect(error.details).toEqual([
      { type: 'Message', message: 'Checking the template took longer than 0.02 seconds.' },
    ]);
    expect(await greet(docx, 'Ada')).toBe('Dear Ada');
  });

  it('loses only the process when the heap is full, and does the next job in a new one', async () => {
    const docx = start({ heapMb: 24 });
    const row = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, [[]]]));
    const data = Buffer.from(JSON.stringify({ rows: Array.from({ length: 8_000 }, () => row) }));
    const error = await failure(docx.render({ templateKey: 'rows@1', template: rows, data, target: 'docx' }));
    expect(error).toMatchObject({
      code: 'render_limit',
      message: 'Filling the template needed more than 24 MB of memory.',
    });
    expect(await greet(docx, 'Ada')).toBe('Dear Ada');
  });

  it('completes good jobs among harmful ones', async () => {
    const docx = start({ processes: 2 });
    const bomb = buildDocx({ body: paragraph('{#a}{#a}{#a}x{/a}{/a}{/a}') });
    const poison = Buffer.from(JSON.stringify({ a: Array.from({ length: 10_000 }, () => 1) }));
    const jobs = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0
        ? greet(docx, `${i}`)
        : failure(docx.render({ templateKey: 'bomb', template: bomb, data: poison, target: 'docx' })),
    );
    const results = await Promise.all(jobs);
    expect(results.filter((result) => typeof result === 'string')).toHaveLength(20);
    for (const result of results) if (typeof result !== 'string') expect(result.code).toBe('render_limit');
  });

  it('rejects jobs when the queue is full, and says when to retry', async () => {
    const docx = start({ maxQueue: 2 });
    await greet(docx, 'warm');
    const running = renderHeavy(docx);
    const waiting = [greet(docx, 'one'), greet(docx, 'two')];
    expect(docx.status()).toMatchObject({ busy: 1, waiting: 2 });
    expect(await failure(greet(docx, 'three'))).toMatchObject({
      code: 'unavailable',
      status: 503,
      retryAfterSeconds: 1,
    });
    expect(await Promise.all(waiting)).toEqual(['Dear one', 'Dear two']);
    await running;
  });

  it("carries jobs and documents larger than a pipe's buffer, among small ones", async () => {
    const docx = start({ processes: 2, renderTimeoutMs: 50_000 });
    const template = buildDocx({ body: '<w:p><w:r><w:t>{#rows}{text}{/rows}</w:t></w:r></w:p>' });
    const filled = async (text: string, rows: number) => {
      const data = Buffer.from(JSON.stringify({ text, rows: Array.from({ length: rows }, () => 1) }));
      const made = await docx.render({ templateKey: 'large@1', template, data, target: 'pdf' });
      // A document for the converter is not compressed.
      return Buffer.from(made.docx).toString('latin1');
    };
    const [wide, long, small, greeting] = await Promise.all([
      filled('w'.repeat(8_000_000), 1),
      filled('l'.repeat(1_000), 60_000),
      filled('s', 1),
      greet(docx, 'Ada'),
    ]);
    expect(wide.includes(`>${'w'.repeat(8_000_000)}<`)).toBe(true);
    expect(long.includes(`>${'l'.repeat(60_000_000)}<`)).toBe(true);
    expect(small.includes('>s<')).toBe(true);
    expect(greeting).toBe('Dear Ada');
    expect(docx.status().kills).toBe(0);
  });

  it('loses only the job whose process is killed from outside', async () => {
    const docx = start();
    await greet(docx, 'warm');
    const [lost, kept] = [failure(renderHeavy(docx)), greet(docx, 'Ada')];
    for (const pid of descendants(process.pid).filter(isDocxProcess)) process.kill(pid, 'SIGKILL');
    expect(await lost).toMatchObject({ code: 'internal' });
    expect(await kept).toBe('Dear Ada');
    expect(docx.status()).toMatchObject({ kills: 1, busy: 0, waiting: 0 });
  });

  it('leaves no process behind when its parent process is killed during a job', async () => {
    const host = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'pool-host.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void host.kill('SIGKILL'));
    await once(host.stdout, 'data');
    const processes = await vi.waitFor(() => {
      const found = descendants(host.pid ?? 0).filter(isDocxProcess);
      expect(found).toHaveLength(2);
      return found;
    }, 30_000);
    host.kill('SIGKILL');
    await vi.waitFor(() => expect(processes.filter(isDocxProcess)).toEqual([]), 30_000);
  });

  it('reports how long a job waited and how long it took', async () => {
    const docx = start();
    await greet(docx, 'warm');
    const heavy = renderHeavy(docx);
    const startedAt = performance.now();
    const data = Buffer.from('{"name":"Ada"}');
    const result = await docx.render({ templateKey: 'letter@1', template: letter, data, target: 'docx' });
    const tookMs = performance.now() - startedAt;
    await heavy;
    expect(result.waitMs).toBeGreaterThan(20);
    expect(result.waitMs + result.renderMs).toBeLessThanOrEqual(tookMs + 1);
  });

  it('fails waiting and running jobs when it closes', async () => {
    const docx = start();
    await greet(docx, 'warm');
    const left = [failure(renderHeavy(docx)), failure(greet(docx, 'waiting'))];
    await docx.close();
    for (const error of await Promise.all(left)) expect(error).toMatchObject({ code: 'unavailable' });
    expect(await failure(greet(docx, 'late'))).toMatchObject({ code: 'unavailable' });
  });
});
