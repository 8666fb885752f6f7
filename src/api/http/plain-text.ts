import { z } from '@hono/zod-openapi';

/** A pattern for one character that is not in the character class `excluded` and not a lone surrogate. */
function character(excluded: string): string {
  // Validators compile patterns with or without the flag `u`; without it, surrogate pairs must be spelled out.
  return `(?:[^${excluded}\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])`;
}

const controls = '\\u0000-\\u001f\\u007f-\\u009f';
const plainPattern = `^${character('\\u0000')}*$`;
const linePattern = `^${character(controls)}*$`;
const filledLinePattern = `^(?=\\s*\\S)${character(controls)}*$`;

const notInFileNames = `${controls}\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufffe\\uffff`;

/** A pattern for one character of a file name: no path separators, no control characters. */
export const fileNameCharacter = character(`/\\\\${notInFileNames}`);

/** A string that can be sent in a header and displayed unchanged. */
export const plainFileName = new RegExp(`^${character(notInFileNames)}*$`);

/** Text without null characters and lone surrogates: JSON can express both, PostgreSQL can store neither. */
export function plainText(minLength: number, maxLength: number): z.ZodString {
  return boundedText(minLength, maxLength).regex(
    new RegExp(plainPattern),
    'must not contain null characters or lone surrogates',
  );
}

/** Like `plainText`, but on one line: no control characters. */
export function plainLine(minLength: number, maxLength: number): z.ZodString {
  return boundedText(minLength, maxLength).regex(
    new RegExp(linePattern),
    'must not contain line breaks, control characters or lone surrogates',
  );
}

/** Like `plainLine`, but not blank. */
export function filledLine(maxLength: number): z.ZodString {
  return plainLine(0, maxLength)
    .refine((value) => value.trim() !== '', 'must not be blank')
    .openapi({ minLength: 1, pattern: filledLinePattern });
}

/** Text with its length in characters (code points), as JSON Schema counts them; `z.string().max` counts UTF-16 units. */
export function boundedText(minLength: number, maxLength: number): z.ZodString {
  return z
    .string()
    .refine((value) => value.length >= minLength, `must have at least ${minLength.toLocaleString('en')} characters`)
    .refine((value) => hasAtMost(value, maxLength), `must have at most ${maxLength.toLocaleString('en')} characters`)
    .openapi({ minLength, maxLength });
}

/** Whether a string has at most `maxLength` characters (code points). */
export function hasAtMost(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return true;
  if (text.length > 2 * maxLength) return false;
  let length = 0;
  for (const _ of text) length += 1;
  return length <= maxLength;
}
