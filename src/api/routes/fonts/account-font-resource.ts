import { z } from '@hono/zod-openapi';
import type { FontRecord } from '../../../shared/domain/fonts/font-record.ts';
import { exampleId, idParam } from '../common-schemas.ts';

export const fontIdParam = idParam('fnt', 'Id of the font.');

export const fontStyle = z
  .enum(['regular', 'bold', 'italic', 'boldItalic'])
  .openapi({ description: 'The style of the family that this font is.', example: 'bold' });

export const accountFontSchema = z
  .object({
    id: z.string().openapi({ description: 'Id of the font.', example: exampleId('fnt') }),
    scope: z.literal('account').openapi({ description: 'Only documents of the account use the font.' }),
    name: z.string().openapi({ description: 'Name given at upload, or the full name.', example: 'Acme Sans Bold' }),
    family: z.string().openapi({ description: 'Family, as documents name it.', example: 'Acme Sans' }),
    style: fontStyle,
    fullName: z.string().openapi({ description: 'Full name inside the font.', example: 'Acme Sans Bold' }),
    version: z.string().nullable().openapi({ description: 'Version inside the font.', example: 'Version 1.004' }),
    format: z.enum(['truetype', 'opentype']).openapi({ description: 'Outline format.', example: 'truetype' }),
    embedding: z.enum(['installable', 'editable', 'print']).openapi({
      description: 'Embedding rights that its licence grants (`fsType`). A restricted font is refused.',
      example: 'installable',
    }),
    glyphs: z.number().int().openapi({ description: 'Number of glyphs.', example: 812 }),
    characters: z.number().int().openapi({ description: 'Number of characters.', example: 640 }),
    size: z.number().int().openapi({ description: 'Size of the uploaded file in bytes.', example: 148_204 }),
    checksum: z.string().openapi({ description: 'SHA-256 of the uploaded file, hex.' }),
    createdAt: z.iso.datetime().openapi({ description: 'When the font was first uploaded.' }),
    updatedAt: z.iso.datetime().openapi({ description: 'When it was last replaced.' }),
  })
  .openapi('AccountFont');

export function toAccountFontResource(font: FontRecord): z.infer<typeof accountFontSchema> {
  const { id, name, family, style, fullName, version, format, embedding, glyphs } = font;
  return {
    id,
    scope: 'account',
    name,
    family,
    style,
    fullName,
    version,
    format,
    embedding,
    glyphs,
    characters: countCharacters(font.coverage),
    size: font.sizeBytes,
    checksum: font.checksum,
    createdAt: font.createdAt.toISOString(),
    updatedAt: font.updatedAt.toISOString(),
  };
}

function countCharacters(coverage: readonly number[]): number {
  let count = 0;
  for (let i = 0; i + 1 < coverage.length; i += 2) count += (coverage[i + 1] ?? 0) - (coverage[i] ?? 0) + 1;
  return count;
}
