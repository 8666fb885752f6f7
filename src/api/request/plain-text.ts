import { z } from '@hono/zod-openapi';

/** Text that can be stored: no null characters and no half surrogates (JSON can express both, PostgreSQL neither). */
export function plainText(minLength: number, maxLength: number): z.ZodString {
  return z
    .string()
    .min(minLength)
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not hold null characters or half surrogates');
}

/** As `plainText`, on one line: no control characters. */
export function plainLine(minLength: number, maxLength: number): z.ZodString {
  return plainText(minLength, maxLength).refine(
    (text) => !/\p{Cc}/u.test(text),
    'must not hold line breaks or control characters',
  );
}
