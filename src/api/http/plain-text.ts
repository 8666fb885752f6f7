import { z } from '@hono/zod-openapi';

/** Text that can be stored: no null characters and no half surrogates (JSON can express both, PostgreSQL neither). */
export function plainText(minLength: number, maxLength: number): z.ZodString {
  return text(minLength, maxLength).refine(
    (value) => value.isWellFormed() && !value.includes('\0'),
    'must not hold null characters or half surrogates',
  );
}

/** As `plainText`, on one line: no control characters. */
export function plainLine(minLength: number, maxLength: number): z.ZodString {
  return text(minLength, maxLength).refine(
    (value) => value.isWellFormed() && !/\p{Cc}/u.test(value),
    'must not hold line breaks, control characters or half surrogates',
  );
}

function text(minLength: number, maxLength: number): z.ZodString {
  return z.string().min(minLength).max(maxLength);
}
