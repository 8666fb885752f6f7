import { z } from '@hono/zod-openapi';

const maxLength = 200;

/** The rule for a template's name: ends with `.docx`, is a plain file name, and can be sent in a header. */
export const templateName = z
  .string({ error: 'is missing' })
  .max(maxLength, `is longer than ${maxLength} characters`)
  .refine((name) => /.\.docx$/i.test(name), 'must end with .docx')
  .refine((name) => !/[/\\]/.test(name), 'must not hold a path')
  .refine(
    (name) => !/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u.test(name),
    'must not hold control characters',
  )
  .openapi({ example: 'invoice.docx', description: 'Name of the template file. Ends with `.docx`.' });
