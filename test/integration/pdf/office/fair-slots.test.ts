import { expect, test } from 'vitest';
import { endlessDocx, failureOf, page } from './office-fixture.ts';
import { poolForTest } from './pool-for-test.ts';

// test/unit/worker/supervisor/fair-sharing.test.ts has the rules by which accounts share slots.

test('a document that hangs is stopped for another account, and has its full time limit later', async () => {
  const { pool } = await poolForTest({ convertTimeoutMs: 15_000 });
  const hanging = failureOf(pool.convert({ account: 'b', templateKey: 'template of b', docx: endlessDocx() }));
  expect((await pool.convert({ account: 'c', templateKey: 'template of c', docx: page('c') })).pages).toBe(1);
  expect(pool.status()).toMatchObject({ stops: 1, kills: 0 });
  expect(await hanging).toMatchObject({ code: 'conversion_timeout', status: 400, retry: false, slotLost: true });
  expect(pool.status()).toMatchObject({ stops: 1, kills: 1 });
});
