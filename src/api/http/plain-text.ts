import { z } from '@hono/zod-openapi';

/** Text without null characters and lone surrogates: JSON can express both, PostgreSQL can store neither. */
export function plainText(minLength: number, maxLength: number): z.ZodString {
  return text(minLength, maxLength).refine(
    (value) => value.isWellFormed() && !value.includes('\0'),
    'must not contain null characters or lone surrogates',
  );
}

/** As `plainText`, on one line: no control characters. */
export function plainLine(minLength: number, maxLength: number): z.ZodString {
  return text(minLength, maxLength).refine(
    (value) => value.isWellFormed() && !/\p{Cc}/u.test(value),
    'must not contain line breaks, control characters or lone surrogates',
  );
}

function text(minLength: number, maxLength: number): z.ZodString {
  return z.string().min(minLength).max(maxLength);
}
