import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../../src/shared/logger.ts';
import { createDocxPool, type DocxPool } from '../../../src/worker/docx/sandbox/docx-pool.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';

const letter = buildDocx({ body: paragraph('Dear {name}') });
/** Compares two long texts for every item: megabytes of work per item. */
const comparing = buildDocx({ body: paragraph('{#l}{s == t}{/l}') });

function start(processes: number, renderTimeoutMs: number): DocxPool {
  const pool = createDocxPool({
    processes,
    renderTimeoutMs,
    inspectTimeoutMs: renderTimeoutMs,
    heapMb: 512,
    maxQueue: 100,
    templateCacheBytes: 8 * 1024 * 1024,
    logger: createLogger('silent', 'test'),
  });
  onTestFinished(() => pool.close());
  return pool;
}

const slowData = (number: number): Buffer => {
  const text = 'x'.repeat(3_000_000);
  return Buffer.from(
    JSON.stringify({ s: `${text}a`, t: `${text}b`, number, l: Array.from({ length: 150_000 }, () => 1) }),
  );
};

/** Different data each time, as from an attacker; the outcomes are expected to differ. */
const slow = (pool: DocxPool, account: string, number: number): Promise<string> =>
  pool
    .render({ account, templateKey: `slow of ${account}`, template: comparing, data: slowData(number), target: 'docx' })
    .then(
      () => 'rendered',
      ({ code }: { readonly code: string }) => code,
    );

const greet = (pool: DocxPool, account: string) => {
  const data = Buffer.from(JSON.stringify({ name: 'Ada' }));
  return pool.render({ account, templateKey: `letter of ${account}`, template: letter, data, target: 'docx' });
};

describe('render processes under work that takes long', () => {
  test('two processes: another account never waits for one', async () => {
    const pool = start(2, 60_000);
    await greet(pool, 'c');
    const hostile = Array.from({ length: 8 }, (_, number) => slow(pool, 'b', number));
    for (let time = 0; time < 30; time++) expect((await greet(pool, 'c')).waitMs).toBeLessThan(100);
    expect(pool.status()).toMatchObject({ stops: 0, busy: 1, waiting: 7 });
    await pool.close();
    await Promise.all(hostile);
  });

  test('one process: the first limit ends the wait, and the work is repeated with the full limit', async () => {
    const pool = start(1, 20_000);
    await greet(pool, 'c');
    const hostile = slow(pool, 'b', 1);
    const { waitMs } = await greet(pool, 'c');
    // A fifth of the limit, and the start of a process on a busy machine.
    expect(waitMs).toBeGreaterThan(3_000);
    expect(waitMs).toBeLessThan(16_000);
    expect(pool.status()).toMatchObject({ stops: 1, kills: 0 });
    expect(['rendered', 'render_limit']).toContain(await hostile);
    expect(pool.status().stops).toBe(1);
  });

  test('one honest account uses every process', async () => {
    const pool = start(3, 60_000);
    for (let time = 0; time < 5; time++) await greet(pool, 'b');
    await expect.poll(() => pool.status().busy).toBe(0);
    // The first render of a process is slow; the template counts as quick after some more.
    const busyWithThree = async (): Promise<number> => {
      const jobs = [greet(pool, 'b'), greet(pool, 'b'), greet(pool, 'b')];
      const { busy } = pool.status();
      await Promise.all(jobs);
      return busy;
    };
    await expect.poll(busyWithThree, { timeout: 60_000, interval: 10 }).toBe(3);
  });
});
