import type { z } from 'zod';
import type { ErrorDetail } from './errors.ts';

/** The invalid fields of an issue, for the client. The paths of fields begin with `root`. */
export function toFieldDetails(issue: z.core.$ZodIssue, root = ''): readonly ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => field(root, [...issue.path, key], 'is not a known field'));
  }
  if (issue.code === 'invalid_union')
    return (issue.errors[0] ?? []).flatMap((inner) => toFieldDetails(at(issue.path, inner), root));
  return [field(root, issue.path, plainIssue(issue))];
}

const at = (path: readonly PropertyKey[], issue: z.core.$ZodIssue): z.core.$ZodIssue => ({
  ...issue,
  path: [...path, ...issue.path],
});

function field(root: string, path: readonly PropertyKey[], message: string): ErrorDetail {
  let text = root;
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : `${text === '' ? '' : '.'}${String(part)}`;
  return { type: 'Field', path: text === '' ? 'body' : text.slice(0, 200), message };
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const defaultMessage = /^(Invalid |Too )/;

/** The message of an issue for the client; a message given in the schema takes precedence. */
export function plainIssue(issue: z.core.$ZodIssue): string {
  const { code, message } = issue;
  if (code === 'too_small' || code === 'too_big') {
    // A number schema's own message concerns its type, so an out-of-range 0 would get "must be a number".
    if (issue.origin === 'number' || issue.origin === 'int') return `must be ${bound(issue)}`;
    if (!defaultMessage.test(message)) return message;
    return issue.origin === 'string' ? `must have ${bound(issue)} characters` : `must have ${bound(issue)} elements`;
  }
  if (!defaultMessage.test(message)) return message;
  if (code === 'invalid_type') {
    if (message.endsWith('received undefined')) return 'is missing';
    const isNull = message.endsWith('received null');
    return `must be ${typeNames[issue.expected] ?? issue.expected}${isNull ? ', not null' : ''}`;
  }
  if (code === 'invalid_value') return `must be ${listOf(issue.values.map(String))}`;
  return 'is not valid';
}

function bound(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  return issue.code === 'too_small' ? `at least ${count(issue.minimum)}` : `at most ${count(issue.maximum)}`;
}

function count(value: number | bigint): string {
  return value.toLocaleString('en');
}

function listOf(values: readonly string[]): string {
  const last = values.at(-1) ?? '';
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`;
}
