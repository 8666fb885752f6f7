import { describe, expect, test } from 'vitest';
import type { OfficePool } from '../../../../src/worker/pdf/office/office-pool.ts';
import { fakeAgentPool } from './fake-agent.ts';
import { endlessDocx, failureOf, page, until } from './office-fixture.ts';
import { poolForTest } from './pool-for-test.ts';

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const leastStartMs = 15_000;
const slowestStarts = 4;

/** A pool whose slots are all ready, and how long the start of one may take later, beside documents that hang. */
async function warmPool(slots: number, convertTimeoutMs: number): Promise<{ pool: OfficePool; startLimitMs: number }> {
  const startedAt = performance.now();
  const { pool } = await poolForTest({ slots, convertTimeoutMs });
  await until(() => pool.status().warm === slots);
  return { pool, startLimitMs: Math.max(leastStartMs, slowestStarts * (performance.now() - startedAt)) };
}

const convert = (pool: OfficePool, account: string, docx: Buffer) =>
  pool.convert({ account, templateKey: `template of ${account}`, docx });

/** Documents that take LibreOffice minutes; their failures at the end of the test are expected. */
function hang(pool: OfficePool, account: string, count: number): Promise<unknown>[] {
  return Array.from({ length: count }, () => failureOf(convert(pool, account, endlessDocx())));
}

describe('LibreOffice slots under documents that hang', () => {
  test('two slots: another account is served as if it were alone, from its first call', async () => {
    const { pool } = await warmPool(2, 60_000);
    void hang(pool, 'b', 8);
    for (let time = 0; time < 10; time++) {
      const { waitMs } = await convert(pool, 'c', page(`call ${time}`));
      expect(waitMs).toBeLessThan(100);
    }
    expect(pool.status()).toMatchObject({ stops: 0, busy: 1, waiting: 7 });
  });

  test('two slots: an account that was quick a hundred times takes the second slot once', async () => {
    const { pool, startLimitMs } = await warmPool(2, 30_000);
    for (let time = 0; time < 20; time++) await convert(pool, 'b', page(`quick ${time}`));
    void hang(pool, 'b', 8);
    await until(() => pool.status().busy === 2);
    expect(await msOf(() => convert(pool, 'c', page('first')))).toBeLessThan(30_000 / 30 + startLimitMs);
    expect(pool.status().stops).toBe(1);
    for (let time = 0; time < 10; time++) {
      const { waitMs } = await convert(pool, 'c', page(`call ${time}`));
      expect(waitMs).toBeLessThan(100);
    }
    expect(pool.status().stops).toBe(1);
  });

  test('one slot: nobody waits longer than the first limit, and the stopped document has the full one later', async () => {
    const { pool, startLimitMs } = await warmPool(1, 15_000);
    const [hanging] = hang(pool, 'b', 1);
    expect(await msOf(() => convert(pool, 'c', page('c')))).toBeLessThan(15_000 / 5 + startLimitMs);
    expect(pool.status()).toMatchObject({ stops: 1, kills: 0 });
    const startedAt = performance.now();
    expect(await hanging).toMatchObject({ code: 'conversion_timeout', status: 400, retry: false, slotLost: true });
    expect(performance.now() - startedAt).toBeGreaterThan(14_000);
    expect(pool.status()).toMatchObject({ stops: 1, kills: 1 });
  });
});

test('a request does not wait for the health checks of idle slots', async () => {
  const act = 'say(id=number, event="refused", stage="load", reason="", pages=0, residentBytes=1)';
  const { pool } = await fakeAgentPool(act, { slots: 2, healthCheckMs: 200, ping: 'time.sleep(4)' });
  await until(() => pool.status().warm === 2);
  // Long enough for the checks to begin: they take four seconds each.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (let time = 0; time < 5; time++) {
    const refused = failureOf(pool.convert({ docx: page('x') }));
    expect(await msOf(() => refused)).toBeLessThan(1_500);
    expect(await refused).toMatchObject({ code: 'conversion_failed' });
  }
});
