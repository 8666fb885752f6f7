import { z } from '@hono/zod-openapi';
import type { Excerpt } from '../../shared/queue/preview-task.ts';
import { defaultField, optionalField, optionalObject } from '../http/optional-field.ts';
import { all, given, isValue, neverAllowed, not } from '../http/schema-rules.ts';
import { dataField, filenameField } from './generate-request.ts';
import { previewOutputRules, previewPdfOptions, renderOptions } from './output-options.ts';

const output = z
  .strictObject({
    format: optionalField(z.enum(['docx', 'pdf'], 'must be docx or pdf')).openapi({
      description: 'What generate would make. A preview shows the pages of the PDF in both cases.',
    }),
    filename: filenameField,
    ...renderOptions,
    pdf: optionalObject(previewPdfOptions).openapi({ description: 'Options of the PDF that the preview shows.' }),
  })
  .refine((value) => value.pdf === undefined || value.format !== 'docx', {
    path: ['pdf'],
    message: 'can only be given when output.format is pdf',
  })
  .openapi('PreviewOutput', {
    description: 'As in generate, without `email`, and without password and permissions of the PDF.',
    ...previewOutputRules,
  });

const whole = (minimum: number, maximum: number) => z.int('must be a whole number').min(minimum).max(maximum);
const asPng = given('format', isValue('png'));
const defaults = { pages: 5, page: 1, dpi: 96 };
const misplaced = {
  pages: 'can only be given when preview.format is pdf',
  page: 'can only be given when preview.format is png',
  dpi: 'can only be given when preview.format is png',
};

const preview = z
  .strictObject({
    format: defaultField(z.enum(['pdf', 'png'], 'must be pdf or png'), 'pdf').openapi({
      description: '`pdf`: the first pages. `png`: one page as a picture. Default: pdf.',
    }),
    pages: optionalField(whole(1, 20)).openapi({ description: 'How many pages a PDF has at most. Default: 5.' }),
    page: optionalField(whole(1, 1_000_000)).openapi({
      description: 'The page of a picture, counted from 1. Default: 1.',
    }),
    dpi: optionalField(whole(36, 200)).openapi({ description: 'Pixels per inch of a picture. Default: 96.' }),
  })
  .superRefine((value, context) => {
    const wrong = value.format === 'png' ? (['pages'] as const) : (['page', 'dpi'] as const);
    for (const field of wrong)
      if (value[field] !== undefined) context.addIssue({ code: 'custom', path: [field], message: misplaced[field] });
  })
  .openapi('PreviewOptions', {
    description: 'Which pages are returned, and in which format.',
    ...neverAllowed(all(given('pages'), asPng), all(given('page'), not(asPng)), all(given('dpi'), not(asPng))),
  });

const common = {
  data: dataField,
  output: optionalObject(output).openapi({
    description: 'As in generate, without `email`, and without password and permissions of the PDF.',
  }),
  preview: optionalObject(preview).openapi({ description: 'Which pages are returned, and in which format.' }),
};

/** The `request` part of a form with a template file. */
export const filePreviewRequest = z.strictObject(common);

/** The body of a request to preview a stored template. */
export const previewRequest = z
  .strictObject({
    templateId: z
      .string('must be the id of a template')
      .regex(/^tpl_[0-9a-z]{26}$/, 'must be the id of a template')
      .openapi({ description: 'Id of the template.', example: 'tpl_01hx5s3k2v9m8q7r6t5w4y3z2a' }),
    version: optionalField(whole(1, 2_000_000_000)).openapi({
      description: 'Version of the template. Default: the current one.',
      example: 1,
    }),
    ...common,
  })
  .openapi('PreviewRequest');

export type FilePreviewRequest = z.infer<typeof filePreviewRequest>;

export function toExcerpt(options: FilePreviewRequest['preview']): Excerpt {
  const { format = 'pdf', pages = defaults.pages, page = defaults.page, dpi = defaults.dpi } = options ?? {};
  return format === 'pdf' ? { format, pages } : { format, page, dpi };
}
