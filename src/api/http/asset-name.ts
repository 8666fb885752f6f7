import { z } from '@hono/zod-openapi';

const maxLength = 200;

/** The rule for an asset's name: a plain file name that can be sent in a header, and that is no id. */
export const assetName = z
  .string({ error: 'is missing' })
  .max(maxLength, `is longer than ${maxLength} characters`)
  .refine((name) => name !== '' && name.trim() === name, 'must not be empty, nor begin or end with a space')
  .refine((name) => !/[/\\]/.test(name), 'must not hold a path')
  .refine(
    (name) => !/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u.test(name),
    'must not hold control characters',
  )
  .refine((name) => !/^ast_[0-9a-z]{26}$/.test(name), 'must not look like an id')
  .openapi({ example: 'logo.png', description: 'Name of the picture, by which data may refer to it.' });
