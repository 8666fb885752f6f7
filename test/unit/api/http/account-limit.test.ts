import { expect, it } from 'vitest';
import { createAccountLimit } from '../../../../src/api/http/account-limit.ts';

const refusal = { code: 'unavailable', status: 503, message: 'Busy. Try again shortly.', retryAfterSeconds: 3 };

const newLimit = () =>
  createAccountLimit({ maxTotal: 3, maxPerAccount: 2, message: refusal.message, retryAfterSeconds: 3 });

const refusalOf = (acquire: () => unknown): unknown => {
  try {
    acquire();
    return undefined;
  } catch (error) {
    return error;
  }
};

it('refuses an account at its own limit, and every account at the limit of the process', () => {
  const limit = newLimit();
  limit.acquire('a');
  limit.acquire('a');
  expect(refusalOf(() => limit.acquire('a'))).toMatchObject(refusal);
  limit.acquire('b');
  expect(refusalOf(() => limit.acquire('c'))).toMatchObject(refusal);
  expect(limit.inUse()).toBe(3);
});

it('accepts again as soon as a permit is released', () => {
  const limit = newLimit();
  const first = limit.acquire('a');
  limit.acquire('a');
  first.release();
  first.release();
  expect(refusalOf(() => limit.acquire('a'))).toBeUndefined();
  expect(refusalOf(() => limit.acquire('a'))).toMatchObject(refusal);
});

it('leaves permits to the next account, even if many are at their limits', () => {
  const limit = createAccountLimit({ maxTotal: 100, maxPerAccount: 50, message: 'busy', retryAfterSeconds: 1 });
  const held = ['a', 'b', 'c', 'd'].map((account) => {
    let count = 0;
    while (refusalOf(() => limit.acquire(account)) === undefined) count += 1;
    return count;
  });
  expect(held[0]).toBe(50);
  expect(limit.inUse()).toBeLessThan(100);
  expect(refusalOf(() => limit.acquire('next'))).toBeUndefined();
});
