import type { Context } from 'hono';
import type { z } from 'zod';
import type { ApiEnv } from './api-env.ts';
import { invalidField, parseRequest } from './parse-request.ts';

/**
 * Parses the query parameters with a schema of the OpenAPI document. Throws `invalid_request` for an invalid parameter,
 * and for a known one that is given more than once. Unknown parameters are ignored unless the schema is strict.
 */
export function parseQuery<T extends z.ZodObject>(schema: T, c: Context<ApiEnv>): z.infer<T> {
  const given = c.req.queries();
  const repeated = Object.keys(schema.shape).find((name) => (given[name]?.length ?? 0) > 1);
  if (repeated !== undefined) throw invalidField(repeated, 'is given more than once');
  return parseRequest(schema, c.req.query());
}
