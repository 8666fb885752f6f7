import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AppError } from '../../../src/shared/errors.ts';
import { examplePicture } from '../../../src/worker/docx/features/images/picture-data.ts';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import {
  createDocxPool,
  type DocxPool,
  type DocxPoolOptions,
  type RenderRequest,
} from '../../../src/worker/docx/sandbox/docx-pool.ts';
import { descendants } from '../../faults/harness/measure.ts';
import { buildDocx, paragraph, table } from '../../support/documents/docx-builder.ts';
import { silent } from '../../support/services/redis.ts';
import { textOf } from '../../unit/docx/render/fill.ts';

const options: DocxPoolOptions = {
  processes: 1,
  renderTimeoutMs: 60_000,
  inspectTimeoutMs: 60_000,
  heapMb: 512,
  templateCacheBytes: 8 * 1024 * 1024,
  logger: silent,
};

/** Starts a pool for a test that needs other options, kills processes or counts jobs. */
function start(changes: Partial<DocxPoolOptions> = {}): DocxPool {
  const pool = createDocxPool({ ...options, ...changes });
  onTestFinished(() => pool.close());
  return pool;
}

const templateOf = (text: string) => buildDocx({ body: paragraph(text) });
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const letter = templateOf('Dear {name}');
const rows = buildDocx({ body: table([['{#rows}{a}', '{b}{/rows}']]) });
const heavyData = json({ rows: Array.from({ length: 199_000 }, (_, i) => ({ a: i, b: 'text' })) });

type Job = Pick<RenderRequest, 'templateKey' | 'template'> & Partial<RenderRequest> & { readonly data: Buffer };
const render = (pool: DocxPool, job: Job) => pool.render({ target: 'docx', ...job });

async function textFrom(pool: DocxPool, job: Job): Promise<string> {
  return textOf(openPackage((await render(pool, job)).docx));
}

function greet(pool: DocxPool, name: string, account?: string): Promise<string> {
  return textFrom(pool, { account, templateKey: `letter of ${account}`, template: letter, data: json({ name }) });
}

const renderHeavy = (pool: DocxPool) => render(pool, { templateKey: 'rows', template: rows, data: heavyData });

/** Whether the process has this title, which a dead process no longer has. */
function isProcess(pid: number, title: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(title);
  } catch {
    return false;
  }
}

const failure = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => Promise.reject(new Error('expected a failure')),
    (error: AppError) => error,
  );

describe('the pool of render processes', () => {
  let pool: DocxPool;
  beforeAll(() => {
    pool = createDocxPool({ ...options, processes: 2 });
  });
  afterAll(() => pool.close());

  it('inspects and renders', async () => {
    expect(await pool.inspect(rows)).toEqual({
      tags: ['a', 'b', 'rows'],
      fonts: ['Carlito'],
      accessibility: expect.any(Array),
      includes: [],
      warnings: [],
      schema: expect.objectContaining({ type: 'object', properties: { rows: expect.anything() } }),
      example: { rows: expect.arrayContaining([{ a: 'A 1', b: 'B 1' }]) },
    });
    expect(await greet(pool, 'Ada')).toBe('Dear Ada');
    expect(pool.status()).toEqual({ processes: 2, busy: 0, waiting: 0, kills: 0, stops: 0 });
  });

  it('gives each of many callers their own document', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `caller ${i}`);
    expect(await Promise.all(names.map((name) => greet(pool, name)))).toEqual(names.map((name) => `Dear ${name}`));
  });

  it.each([
    ['evicted from the cache', 4_000],
    ['still in the cache', 8_000_000],
  ])('keeps versions of a template apart that were %s', async (_, templateCacheBytes) => {
    const pool = start({ templateCacheBytes });
    for (const name of ['first', 'second']) {
      for (let i = 0; i < 5; i++) {
        const job = { templateKey: `t@${i}`, template: templateOf(`${i} {name}`), data: json({ name }) };
        expect(await textFrom(pool, job)).toBe(`${i} ${name}`);
      }
    }
  });

  it('prints the words of the account in templates with includes, and keeps dictionaries apart', async () => {
    const template = buildDocx({ body: paragraph('{include "terms"}') + paragraph('{"total" | translate}') });
    const terms = templateOf('{"due" | translate} {x}');
    const printed = async (dictionary: string, words: object | undefined) => {
      const text = await textFrom(pool, {
        templateKey: `t@1 ${dictionary}`,
        template,
        accountWords: words && json({ en: words }),
        data: json({ x: 1 }),
        loadIncludes: async () => new Map([['terms', terms]]),
      });
      return text.replaceAll(/\n+/g, ' ').trim();
    };
    expect(await printed('first', { total: 'Total', due: 'Due' })).toBe('Due 1 Total');
    expect(await printed('second', { total: 'Sum' })).toBe('due 1 Sum');
    expect(await printed('none', undefined)).toBe('due 1 total');
    expect(await printed('first', { total: 'Total', due: 'Due' })).toBe('Due 1 Total');
    expect((await pool.inspect(letter, { accountWords: Buffer.from('{}') })).tags).toEqual(['name']);
  });

  it("does not modify or detach the caller's bytes, shared ones included", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(letter.length));
    shared.set(letter);
    const data = json({ name: 'Ada' });
    for (const [i, template] of [letter, shared].entries()) {
      expect(await textFrom(pool, { templateKey: `${i}`, template, data })).toBe('Dear Ada');
      expect(await pool.inspect(template)).toMatchObject({ tags: ['name'] });
    }
    expect(data.toString()).toBe('{"name":"Ada"}');
    expect(shared.byteLength).toBe(letter.length);
  });

  it('reports errors with their details', async () => {
    const errorOf = (template: Uint8Array, data: unknown) =>
      failure(render(pool, { templateKey: `${template.length}`, template, data: json(data) }));
    expect(await errorOf(letter, { name: {} })).toMatchObject({
      code: 'data_invalid',
      details: [{ type: 'Field', path: 'data.name' }],
    });
    expect(await failure(pool.inspect(Buffer.from('no zip')))).toMatchObject({ code: 'template_invalid', status: 400 });
    expect(await errorOf(templateOf('{name'), {})).toMatchObject({
      code: 'template_invalid',
      details: [{ tag: '{name' }],
    });
    expect(pool.status().kills).toBe(0);
  });

  it('loads each asset that the data names once, and reports those that do not exist', async () => {
    const template = templateOf('{%logo}{%again}{#signed}{%logo}{/signed}');
    const picture = Buffer.from(examplePicture, 'base64');
    const requestedNames: (readonly string[])[] = [];
    const withAssets = (data: object, known: Record<string, Uint8Array>, target: 'docx' | 'pdf' = 'docx') =>
      render(pool, {
        templateKey: 'logo',
        template,
        data: json(data),
        target,
        loadAssets: async (names) => {
          requestedNames.push(names);
          return new Map(Object.entries(known));
        },
      });
    const data = { logo: { asset: 'logo.png' }, again: { asset: 'logo.png', width: '2cm' }, signed: true };
    for (const target of ['docx', 'pdf'] as const) {
      const docx = openPackage((await withAssets(data, { 'logo.png': picture }, target)).docx);
      const media = docx.partNames.filter((name) => name.includes('/media/'));
      expect(media.map((name) => docx.read(name))).toEqual([picture]);
    }
    expect(requestedNames).toEqual([['logo.png'], ['logo.png']]);
    expect(await failure(withAssets(data, {}))).toMatchObject({
      code: 'data_invalid',
      details: [
        { path: 'data.logo.asset', message: 'The value of {%logo} names an asset that does not exist.' },
        { path: 'data.again.asset' },
      ],
    });
    expect((await failure(withAssets({ ...data, again: 7 }, {}))).details).toMatchObject([{ path: 'data.again' }]);
    expect(requestedNames).toHaveLength(3);
    expect(pool.status().kills).toBe(0);
  });

  it('renders SVG and barcodes in its processes', async () => {
    const template = templateOf('{%logo}{%barcode code "ean13"}');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    const data = json({ logo: Buffer.from(svg).toString('base64'), code: '4006381333931' });
    for (const templateKey of ['first', 'second']) {
      const { docx } = await render(pool, { templateKey, template, data });
      expect(openPackage(docx).partNames.filter((name) => name.endsWith('.png'))).toHaveLength(2);
    }
    expect(pool.status().kills).toBe(0);
  });

  it('kills a process at its time limit, and does the next job in a new one', async () => {
    const pool = start({ renderTimeoutMs: 60 });
    await greet(pool, 'warm').catch(() => undefined);
    expect(await failure(renderHeavy(pool))).toMatchObject({
      code: 'render_limit',
      message: 'Filling the template took longer than 0.06 seconds.',
    });
    expect(pool.status().kills).toBeGreaterThan(0);
    expect(await pool.inspect(letter)).toMatchObject({ tags: ['name'] });
  });

  it('reports that checking a template takes too long', async () => {
    const pool = start({ inspectTimeoutMs: 20 });
    expect(await failure(pool.inspect(templateOf('{x}'.repeat(19_999))))).toMatchObject({
      code: 'template_invalid',
      message: 'Template validation errors',
      details: [{ type: 'Message', message: 'Checking the template took longer than 0.02 seconds.' }],
    });
    expect(await greet(pool, 'Ada')).toBe('Dear Ada');
  });

  it('loses only the process when the heap is full, and does the next job in a new one', async () => {
    const pool = start({ heapMb: 24 });
    const row = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, [[]]]));
    const data = json({ rows: Array.from({ length: 8_000 }, () => row) });
    expect(await failure(render(pool, { templateKey: 'rows', template: rows, data }))).toMatchObject({
      code: 'render_limit',
      message: 'Filling the template needed more than 24 MB of memory.',
    });
    expect(await greet(pool, 'Ada')).toBe('Dear Ada');
  });

  it('completes good jobs among harmful ones', async () => {
    const pool = start({ processes: 2 });
    const template = templateOf('{#a}{#a}{#a}x{/a}{/a}{/a}');
    const data = json({ a: Array.from({ length: 10_000 }, () => 1) });
    const jobs = Array.from({ length: 6 }, (_, i) =>
      i % 2 === 0
        ? greet(pool, `${i}`)
        : failure(render(pool, { templateKey: 'bomb', template, data })).then(({ code }) => code),
    );
    const expected = jobs.map((_, i) => (i % 2 === 0 ? `Dear ${i}` : 'render_limit'));
    expect(await Promise.all(jobs)).toEqual(expected);
  });

  it('fails waiting and running jobs when it closes', async () => {
    const pool = start();
    await greet(pool, 'warm');
    const jobs = [renderHeavy(pool), greet(pool, 'one'), greet(pool, 'two')].map(failure);
    expect(pool.status()).toMatchObject({ busy: 1, waiting: 2 });
    await pool.close();
    jobs.push(failure(greet(pool, 'late')));
    for (const error of await Promise.all(jobs)) expect(error).toMatchObject({ code: 'unavailable' });
  });

  it("carries jobs and documents larger than a pipe's buffer, among small ones", async () => {
    const template = templateOf('{#rows}{text}{/rows}');
    const filled = async (text: string, count: number) => {
      const data = json({ text, rows: Array.from({ length: count }, () => 1) });
      const { docx } = await render(pool, { templateKey: 'large', template, data, target: 'pdf' });
      // A document for the converter is not compressed.
      return Buffer.from(docx).toString('latin1');
    };
    const [wide, long, small, greeting] = await Promise.all([
      filled('w'.repeat(2_000_000), 1),
      filled('l'.repeat(1_000), 4_000),
      filled('s', 1),
      greet(pool, 'Ada'),
    ]);
    expect(wide.includes(`>${'w'.repeat(2_000_000)}<`)).toBe(true);
    expect(long.includes(`>${'l'.repeat(4_000_000)}<`)).toBe(true);
    expect(small.includes('>s<')).toBe(true);
    expect(greeting).toBe('Dear Ada');
    expect(pool.status().kills).toBe(0);
  });

  it('reports how long a job waited and how long it took', async () => {
    const pool = start();
    await greet(pool, 'warm');
    const heavy = renderHeavy(pool);
    const waiting = render(pool, { templateKey: 'letter', template: letter, data: json({ name: 'Ada' }) });
    const [first, second] = await Promise.all([heavy, waiting]);
    // The second job waited at least as long as the first one took.
    expect(second.waitMs).toBeGreaterThanOrEqual(first.renderMs);
    expect(second.renderMs).toBeGreaterThan(0);
  });

  it('loses only the job whose process is killed from outside', async () => {
    const pool = start();
    await greet(pool, 'warm');
    const [lost, kept] = [failure(renderHeavy(pool)), greet(pool, 'Ada')];
    const processes = descendants(process.pid).filter((pid) => isProcess(pid, 'docmill-docx'));
    for (const pid of processes) process.kill(pid, 'SIGKILL');
    expect(await lost).toMatchObject({ code: 'internal' });
    expect(await kept).toBe('Dear Ada');
    expect(pool.status()).toMatchObject({ kills: 1, busy: 0, waiting: 0 });
  });

  it.each([
    ['one works and one is idle', 'pool-host', 'docmill-docx', 2],
    ['one computes forever', 'spinning-host', 'spinning-process', 1],
  ])('leaves no process behind when its parent is killed while %s', async (_, script, title, count) => {
    const host = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, `${script}.ts`)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void host.kill('SIGKILL'));
    await once(host.stdout, 'data');
    const find = () => descendants(host.pid ?? 0).filter((pid) => isProcess(pid, title));
    await expect.poll(find).toHaveLength(count);
    const processes = find();
    const alive = () => processes.filter((pid) => isProcess(pid, title));
    onTestFinished(() => {
      for (const pid of alive()) process.kill(pid, 'SIGKILL');
    });
    host.kill('SIGKILL');
    await expect.poll(alive).toEqual([]);
  });
});

describe('accounts share the processes', () => {
  /**
   * Compares two strings of megabytes for every item, with different data each time, as an attacker would.
   */
  const comparing = templateOf('{#l}{s == t}{/l}');
  const slow = (pool: DocxPool, account: string, number: number): Promise<string> => {
    const text = 'x'.repeat(3_000_000);
    const data = json({ s: `${text}a`, t: `${text}b`, number, l: Array.from({ length: 150_000 }, () => 1) });
    return render(pool, { account, templateKey: 'slow', template: comparing, data }).then(
      () => 'rendered',
      ({ code }: AppError) => code,
    );
  };

  it('never wait for each other when there are two processes', async () => {
    const pool = start({ processes: 2 });
    await greet(pool, 'Ada', 'c');
    const hostile = Array.from({ length: 8 }, (_, number) => slow(pool, 'b', number));
    for (let time = 0; time < 20; time++) await greet(pool, 'Ada', 'c');
    // No job of the other account has ended, or was stopped, meanwhile.
    expect(pool.status()).toMatchObject({ stops: 0, busy: 1, waiting: 7 });
    await pool.close();
    await Promise.all(hostile);
  });

  it('wait no longer than the first limit for the only process, and the stopped work is repeated', async () => {
    const pool = start({ renderTimeoutMs: 4_000, inspectTimeoutMs: 4_000 });
    await greet(pool, 'Ada', 'c');
    // More work than the whole limit allows.
    const hostile = slow(pool, 'b', 1);
    expect(await greet(pool, 'Ada', 'c')).toBe('Dear Ada');
    expect(pool.status()).toMatchObject({ stops: 1, kills: 0 });
    // It runs again with the whole limit, and is not stopped twice.
    expect(await hostile).toBe('render_limit');
    expect(pool.status()).toMatchObject({ stops: 1 });
  });
});
