import { describe, expect, it } from 'vitest';
import { parseIdempotencyKey } from '../../../../src/api/middleware/idempotency-key.ts';

describe('Idempotency-Key', () => {
  it.each([
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['"8e03978e"', '8e03978e'],
    ['"a \\"b\\""', 'a "b"'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])('%j is read as %j', (given, key) => {
    expect(parseIdempotencyKey(given)).toBe(key);
  });

  it.each(['', '""', ' ', 'x'.repeat(256), 'a\tb', 'schlüssel', '\u0000'])('%j is rejected', (given) => {
    expect(() => parseIdempotencyKey(given)).toThrow(/Idempotency-Key/);
  });
});
