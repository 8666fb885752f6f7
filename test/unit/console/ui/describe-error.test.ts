import { ApiError } from '@docmill/client';
import { expect, test } from 'vitest';
import { describeError } from '../../../../src/console/ui/describe-error.ts';

const refusal = (code: string) =>
  new ApiError('E-mail limit exceeded: 12 are left.', { status: 429, code, details: [], retryAfterMs: 40_000_000 });

test('an e-mail limit is described by its own message, not as too many requests', () => {
  expect(describeError(refusal('email_limit_exceeded')).message).toBe('E-mail limit exceeded: 12 are left.');
  expect(describeError(refusal('rate_limited')).message).toBe('Too many requests. Try again in 40000 s.');
});
