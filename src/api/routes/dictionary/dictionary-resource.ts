import { z } from '@hono/zod-openapi';
import type { DictionaryRecord } from '../../../shared/domain/dictionaries/find-dictionary.ts';

/** Words by locale and key. */
export const wordsSchema = z.record(z.string(), z.record(z.string(), z.string()));

export const dictionarySchema = z
  .object({
    words: wordsSchema.openapi({ description: 'For each locale, the word of each key.' }),
    checksum: z.string().openapi({ description: 'SHA-256 that identifies the words, hex.' }),
    updatedAt: z.iso.datetime().openapi({ description: 'When the words were last replaced.' }),
  })
  .openapi('Dictionary');

export function toDictionaryResource({
  words,
  checksum,
  createdAt,
}: DictionaryRecord): z.infer<typeof dictionarySchema> {
  return { words: words as z.infer<typeof wordsSchema>, checksum, updatedAt: createdAt.toISOString() };
}
