import type { z } from 'zod';
import { AppError, type ErrorDetail } from '../../shared/errors.ts';
import { plainIssue } from './plain-issue.ts';

export function invalidField(path: string, message: string): AppError {
  return new AppError('invalid_request', `${path}: ${message}`, { details: [{ type: 'Field', path, message }] });
}

/** Parses with the schema that the reference is made from; throws `invalid_request` with one entry for each bad field. */
export function parseRequest<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap(toDetails).slice(0, 50);
  const first = details[0];
  const message = first?.type === 'Field' ? `${first.path}: ${first.message}` : 'The request is not valid';
  throw new AppError('invalid_request', message, { details });
}

function toDetails(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => field([...issue.path, key], 'is not a known field'));
  }
  return [field(issue.path, plainIssue(issue))];
}

function field(path: readonly PropertyKey[], message: string): ErrorDetail {
  let text = '';
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : `${text === '' ? '' : '.'}${String(part)}`;
  return { type: 'Field', path: text === '' ? 'body' : text.slice(0, 200), message };
}
