import { ApiError, ConnectionError } from '@docmill/client';
import { expect, test } from 'vitest';
import { isTemporary } from '../../../../../src/console/templates/problems/is-temporary.ts';

const refusal = (status: number) => new ApiError(`status ${status}`, { status, code: 'unknown', details: [] });

test.each([
  [new ConnectionError('lost'), true],
  [refusal(429), true],
  [refusal(500), true],
  [refusal(504), true],
  [refusal(400), false],
  [refusal(404), false],
  [new Error('damaged'), false],
])('%s: whether the user should try again is %s', (error, isExpected) => {
  expect(isTemporary(error)).toBe(isExpected);
});
