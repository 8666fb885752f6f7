import { z } from '@hono/zod-openapi';
import type { TemplateRecord } from '../../../shared/domain/templates/template-record.ts';
import type { FontReport } from '../../../shared/fonts.ts';
import type { InspectionReply } from '../../../shared/queue/document-reply.ts';

const metadata = {
  id: z.string().openapi({ example: 'tpl_01hx5s3k2v9m8q7r6t5w4y3z2a' }),
  name: z.string().openapi({ example: 'invoice.docx' }),
  version: z.number().int().openapi({ description: 'Counts up with each re-upload.', example: 1 }),
  size: z.number().int().openapi({ description: 'Size of the file in bytes.', example: 18_204 }),
  checksum: z.string().openapi({ description: 'SHA-256 of the file, hex.' }),
  tags: z.array(z.string()).openapi({ description: 'Names of the tags, sorted.', example: ['customer.name', 'items'] }),
  createdAt: z.iso.datetime().openapi({ example: '2026-11-20T09:30:00.000Z' }),
  updatedAt: z.iso.datetime().openapi({ example: '2026-11-20T09:30:00.000Z' }),
};

export const templateMetadataSchema = z.object(metadata).openapi('TemplateMetadata');

const font = z.object({
  name: z.string().openapi({ example: 'Calibri' }),
  status: z.enum(['available', 'substituted', 'missing', 'unknown']).openapi({
    description:
      'In a PDF: the font is there; another of the same widths takes its place; another takes its place and lines may move; not known, because no worker is there to tell.',
  }),
  substitute: z.string().optional().openapi({ example: 'Carlito' }),
});

const warning = z.object({
  code: z.string().openapi({ example: 'font_missing' }),
  message: z.string(),
  part: z.string().optional(),
  paths: z.array(z.string()).optional().openapi({ description: 'Which values of the data it is about.' }),
  count: z.number().int().optional().openapi({ description: 'How many it is about in all.' }),
});

export const templateDetailSchema = z
  .object({ ...metadata, fonts: z.array(font).openapi({ description: 'Fonts the template uses.' }) })
  .openapi('TemplateDetail');

export const uploadedTemplateSchema = z
  .object({
    ...metadata,
    fonts: z.array(font),
    warnings: z.array(warning).openapi({ description: 'What will look or behave differently from what Word shows.' }),
  })
  .openapi('UploadedTemplate');

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

export function toTemplateDetail(template: TemplateRecord, fonts: readonly FontReport[]) {
  return { ...toTemplateMetadata(template), fonts: [...fonts] };
}

/** What an upload answers: the template, and warnings. */
export function toUploadedTemplate(template: TemplateRecord, fonts: readonly FontReport[], found: readonly Warning[]) {
  return { ...toTemplateDetail(template, fonts), warnings: toUploadWarnings(fonts, found) };
}

/** What was found in a file, and the fonts that would move lines. */
export function toUploadWarnings(fonts: readonly FontReport[], found: readonly Warning[]): Warning[] {
  const missing = fonts
    .filter(({ status }) => status === 'missing')
    .map(
      ({ name }): Warning => ({
        code: 'font_missing',
        message: `The font ${name} is not installed and has no substitute of the same widths: a PDF may break lines elsewhere than Word does.`,
      }),
    );
  return [...found, ...missing];
}

type Warning = InspectionReply['warnings'][number];
