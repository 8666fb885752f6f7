import { z } from '@hono/zod-openapi';

/** A whole number in a path or a query, in digits. */
export function wholeNumber(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .openapi({ type: 'integer', minimum, maximum });
}
