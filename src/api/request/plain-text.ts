import { z } from '@hono/zod-openapi';

/** Text that can be stored and shown: no half surrogates, and no control characters but line ends and tabs. */
export function plainText(minLength: number, maxLength: number): z.ZodString {
  return z
    .string()
    .min(minLength)
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !/[^\P{Cc}\t\n\r]/u.test(text), 'must not hold control characters');
}

/** As `plainText`, on one line. */
export function plainLine(minLength: number, maxLength: number): z.ZodString {
  return plainText(minLength, maxLength).refine((text) => !/[\t\n\r]/.test(text), 'must not hold line breaks');
}
