import type { Context } from 'hono';
import type { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toFieldDetails } from '../../shared/schema-issues.ts';
import type { ApiEnv } from './api-env.ts';

export function invalidField(path: string, message: string): AppError {
  return new AppError('invalid_request', `${path}: ${message}`, { details: [{ type: 'Field', path, message }] });
}

/** Parses with a schema of the OpenAPI document; throws `invalid_request` with one entry for each invalid field. */
export function parseRequest<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => toFieldDetails(issue)).slice(0, 50);
  const first = details[0];
  const message = first?.type === 'Field' ? `${first.path}: ${first.message}` : 'The request is not valid';
  throw new AppError('invalid_request', message, { details });
}

const id = /^[a-z]{3}_[0-9a-z]{26}$/;

/** The id in the path. A malformed id becomes an empty string, which matches no resource. */
export function pathId(c: Context<ApiEnv>, name = 'id'): string {
  const value = c.req.param(name) ?? '';
  return id.test(value) ? value : '';
}
