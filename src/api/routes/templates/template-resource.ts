import { z } from '@hono/zod-openapi';
import type { SchemaChange } from '../../../shared/domain/templates/compare-schemas.ts';
import type { TemplateRecord } from '../../../shared/domain/templates/template-record.ts';
import type { FontReport } from '../../../shared/fonts.ts';
import type { InspectionReply } from '../../../shared/queue/document-reply.ts';
import { earlierSyntax } from '../../../shared/template-syntax.ts';
import { fileNameCharacter, hasAtMost, plainFileName } from '../../http/plain-text.ts';
import { exampleId } from '../common-schemas.ts';
import { reviewStateSchema } from '../versions/review-resource.ts';
import { includesFields } from './includes-resource.ts';
import { pdfEngineFields } from './pdf-engine-resource.ts';
import { syntaxResource, toSyntaxResource } from './template-syntax-resource.ts';

const maxNameLength = 200;

/** A plain file name that ends with `.docx` and can be sent in a header. */
export const templateName = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : undefined) })
  .refine((name) => hasAtMost(name, maxNameLength), `is longer than ${maxNameLength} characters`)
  .refine((name) => /.\.docx$/i.test(name), 'must end with .docx')
  .refine((name) => !/[/\\]/.test(name), 'must not contain a path')
  .refine((name) => plainFileName.test(name), 'must not contain control characters')
  .openapi({
    minLength: 6,
    maxLength: maxNameLength,
    pattern: `^${fileNameCharacter}+\\.[dD][oO][cC][xX]$`,
    example: 'invoice.docx',
    description: 'Name of the template file. Ends with `.docx`.',
  });

const metadata = {
  id: z.string().openapi({ description: 'Id of the template.', example: exampleId('tpl') }),
  name: z.string().openapi({ description: 'Name of the template file.', example: 'invoice.docx' }),
  version: z.number().int().openapi({ description: 'Incremented by each re-upload.', example: 1 }),
  size: z.number().int().openapi({ description: 'Size of the file in bytes.', example: 18_204 }),
  checksum: z.string().openapi({ description: 'SHA-256 of the file, hex.' }),
  tags: z.array(z.string()).openapi({ description: 'Names of the tags, sorted.', example: ['customer.name', 'items'] }),
  reviewState: reviewStateSchema.optional(),
  draftVersion: z.number().int().optional().openapi({
    description: 'The newest upload, if it waits for approval: previews and test keys use it. Absent otherwise.',
  }),
  createdAt: z.iso.datetime().openapi({ description: 'When the template was uploaded.' }),
  updatedAt: z.iso.datetime().openapi({ description: 'When it was last changed.' }),
};

export const templateMetadataSchema = z.object(metadata).openapi('TemplateMetadata');

const font = z
  .object({
    name: z.string().openapi({ description: 'Name of the font.', example: 'Calibri' }),
    status: z.enum(['available', 'substituted', 'missing', 'unknown']).openapi({
      description:
        'How the font appears in a PDF: `available`; `substituted` by a font of the same widths; `missing`, so that another font may move lines; `unknown` while no worker reports its fonts.',
    }),
    substitute: z.string().optional().openapi({ description: 'The font that replaces it.', example: 'Carlito' }),
  })
  .openapi('FontReport');

const warning = z
  .object({
    code: z.string().openapi({ description: 'Kind of the warning.', example: 'font_missing' }),
    message: z.string().openapi({ description: 'What will differ.' }),
    part: z.string().optional().openapi({ description: 'The part of the document: body, header 1, footnotes …' }),
    paths: z.array(z.string()).optional().openapi({ description: 'The affected values of the data.' }),
    count: z.number().int().optional().openapi({ description: 'How many values are affected in all.' }),
  })
  .openapi('TemplateWarning');

const note = z
  .object({
    code: z.string().openapi({ description: 'Kind of the finding.', example: 'alternative_text_missing' }),
    message: z.string().openapi({ description: 'What is wrong, what to do, and where it was found first.' }),
    count: z.number().int().openapi({ description: 'How often it was found.' }),
  })
  .openapi('AccessibilityNote', { description: 'Something that keeps documents from being accessible.' });

const report = {
  fonts: z.array(font).openapi({ description: 'Fonts the template uses.' }),
  accessibility: z.array(note).openapi({
    description:
      'Accessibility problems of documents made from this template; relevant only to PDFs with `accessible`.',
  }),
};

export const templateDetailSchema = z
  .object({
    ...metadata,
    ...report,
    ...syntaxResource,
    officeVersion: z.string().optional().openapi({
      description: 'The version of LibreOffice that lays out its PDFs, if an operator has pinned the template to one.',
      example: '25.2',
    }),
    engine: z.string().optional().openapi({ description: 'The same as `officeVersion`.', deprecated: true }),
    ...includesFields,
    ...pdfEngineFields,
  })
  .openapi('TemplateDetail');

export const uploadedTemplateSchema = z
  .object({
    ...metadata,
    ...report,
    ...syntaxResource,
    warnings: z.array(warning).openapi({ description: 'What will look or behave differently than in Word.' }),
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
    ...(template.reviewState !== null && { reviewState: template.reviewState }),
    ...(template.draftVersion !== null && { draftVersion: template.draftVersion }),
    createdAt: template.createdAt.toISOString(),
    updatedAt: template.updatedAt.toISOString(),
  };
}

export function toTemplateDetail(template: TemplateRecord, fonts: readonly FontReport[]) {
  const { engine, syntax } = template;
  const metadata = toTemplateMetadata(template);
  return {
    ...metadata,
    fonts: [...fonts],
    // PostgreSQL reorders the keys of stored JSON, but a replayed response must match the first one byte for byte.
    accessibility: template.accessibility.map(({ code, message, count }) => ({ code, message, count })),
    ...toSyntaxResource(syntax ?? earlierSyntax),
    ...(engine !== null && { officeVersion: engine, engine }),
  };
}

/** The response to an upload: the template, with warnings. */
export function toUploadedTemplate(
  template: TemplateRecord,
  fonts: readonly FontReport[],
  warnings: readonly Warning[],
) {
  return { ...toTemplateDetail(template, fonts), warnings: toUploadWarnings(fonts, warnings) };
}

/** The warnings of the inspection, and one for each font whose absence may move lines. */
export function toUploadWarnings(fonts: readonly FontReport[], warnings: readonly Warning[]): Warning[] {
  const missing = fonts
    .filter(({ status }) => status === 'missing')
    .map(
      ({ name, substitute }): Warning => ({
        code: 'font_missing',
        message: `The font ${name} is not installed and has no substitute of the same widths${substitute === undefined ? '' : ` (${substitute} is printed)`}: a PDF may break lines elsewhere than Word does.`,
      }),
    );
  return [...warnings, ...missing];
}

const notCompared = 'The schema of the new version could not be compared with that of the current one.';

/**
 * One warning for each change that clients of the current version may not expect, or a single one if `changes` is
 * undefined because nothing was compared.
 */
export function toSchemaWarnings(changes: readonly SchemaChange[] | undefined): Warning[] {
  if (changes === undefined) return [{ code: 'schema_not_compared', message: notCompared }];
  return changes.map(({ kind, message, name }) => ({ code: `schema_${kind}`, message, paths: [name] }));
}

type Warning = InspectionReply['warnings'][number];
