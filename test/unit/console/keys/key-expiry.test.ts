import { expect, test } from 'vitest';
import { expiresSoon } from '../../../../src/console/keys/key-expiry.ts';

const nowMs = Date.parse('2026-11-23T04:00:00Z');

test.each([
  [{ status: 'active', expiresAt: '2026-12-01T00:00:00Z' }, true],
  [{ status: 'active', expiresAt: '2027-12-01T00:00:00Z' }, false],
  [{ status: 'active' }, false],
  [{ status: 'expired', expiresAt: '2026-11-01T00:00:00Z' }, false],
] as const)('a key of %j expires soon: %s', (key, isSoon) => {
  expect(expiresSoon(key, nowMs)).toBe(isSoon);
});
