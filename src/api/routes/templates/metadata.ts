import { z } from '@hono/zod-openapi';
import type { TemplateRecord } from '../../../shared/domain/templates/template-record.ts';

export const templateMetadataSchema = z
  .object({
    id: z.string().openapi({ example: 'tpl_01hx5s3k2v9m8q7r6t5w4y3z2a' }),
    name: z.string().openapi({ example: 'invoice.docx' }),
    version: z.number().int().openapi({ description: 'Counts up with each re-upload.', example: 1 }),
    size: z.number().int().openapi({ description: 'Size of the file in bytes.', example: 18_204 }),
    checksum: z.string().openapi({ description: 'SHA-256 of the file, hex.' }),
    tags: z
      .array(z.string())
      .openapi({ description: 'Names of the tags, sorted.', example: ['customer.name', 'items'] }),
    createdAt: z.iso.datetime().openapi({ example: '2026-11-20T09:30:00.000Z' }),
    updatedAt: z.iso.datetime().openapi({ example: '2026-11-20T09:30:00.000Z' }),
  })
  .openapi('TemplateMetadata');

export type TemplateMetadata = z.infer<typeof templateMetadataSchema>;

export function toTemplateMetadata(template: TemplateRecord): TemplateMetadata {
  return {
    id: template.id,
    name: template.name,
    version: template.version,
    size: template.sizeBytes,
    checksum: template.checksum,
    tags: [...template.tags],
    createdAt: template.createdAt.toISOString(),
    updatedAt: template.updatedAt.toISOString(),
  };
}
