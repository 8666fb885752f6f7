import type { z } from 'zod';

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const ownWords = /^(Invalid |Too )/;

/** What is wrong with a value, for who sent it; a text that the schema gives goes first. */
export function plainIssue(issue: z.core.$ZodIssue): string {
  const { code, message } = issue;
  if (code === 'too_small' || code === 'too_big') {
    // A number's own text is about its kind: it would say of 0 that it must be a number.
    if (issue.origin === 'number' || issue.origin === 'int') return `must be ${bound(issue)}`;
    if (!ownWords.test(message)) return message;
    return issue.origin === 'string' ? `must have ${bound(issue)} characters` : `must have ${bound(issue)} elements`;
  }
  if (!ownWords.test(message)) return message;
  if (code === 'invalid_type') {
    return message.endsWith('received undefined') ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`;
  }
  if (code === 'invalid_value') return `must be ${inWords(issue.values.map(String))}`;
  return 'is not valid';
}

function bound(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  return issue.code === 'too_small' ? `at least ${count(issue.minimum)}` : `at most ${count(issue.maximum)}`;
}

function count(value: number | bigint): string {
  return value.toLocaleString('en');
}

function inWords(values: readonly string[]): string {
  const last = values.at(-1) ?? '';
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`;
}
