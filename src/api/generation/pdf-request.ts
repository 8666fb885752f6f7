import { z } from '@hono/zod-openapi';
import { plainLine } from '../http/plain-text.ts';

const permissions = z.strictObject({
  printing: z.enum(['none', 'low', 'high'], 'must be none, low or high').optional(),
  changes: z
    .enum(['none', 'assembly', 'forms', 'comments', 'all'], 'must be none, assembly, forms, comments or all')
    .optional(),
  copying: z.boolean().optional().openapi({ description: 'May text and pictures be copied out?' }),
  accessibility: z.boolean().optional().openapi({ description: 'May screen readers read the text?' }),
});

/** `output.pdf`. What can be told from the request alone is refused here; the rest is for the converter to say. */
export const pdfRequest = z
  .strictObject({
    archive: z
      .enum(['PDF/A-1b', 'PDF/A-2b', 'PDF/A-3b'], 'must be PDF/A-1b, PDF/A-2b or PDF/A-3b')
      .optional()
      .openapi({ description: 'Make an archive file (ISO 19005). Not together with `password` or `permissions`.' }),
    accessible: z.boolean().optional().openapi({ description: 'Make a tagged file with the rules of PDF/UA.' }),
    // LibreOffice would write "?" for other signs, and any reader could open the file with question marks.
    password: z
      .string()
      .min(1)
      .max(127)
      .regex(/^[\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff]*$/, 'may only hold letters and signs of ISO 8859-1 (Latin-1)')
      .optional()
      .openapi({ description: 'Needed to open the file. Readers look at its first 32 characters.' }),
    permissions: permissions.optional().openapi({ description: 'What a reader may do. What is not named is allowed.' }),
    watermark: plainLine(1, 100).optional().openapi({ description: 'Text across every page.' }),
    pages: z
      .string()
      .max(200)
      .regex(/^\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*$/, 'must be page numbers and ranges, such as 1-3,5')
      .optional()
      .openapi({ description: 'Only these pages, counted from 1.', example: '1-3,5' }),
    imageQuality: z.int('must be a whole number').min(1).max(100).optional().openapi({
      description:
        'JPEG quality of pictures, which are also reduced to 300 dpi; without it they keep their resolution.',
    }),
  })
  .superRefine((value, context) => {
    if (value.archive !== undefined && (value.password !== undefined || value.permissions !== undefined)) {
      const path = value.password === undefined ? 'permissions' : 'password';
      context.addIssue({
        code: 'custom',
        path: [path],
        message: `cannot be used with ${value.archive}, which forbids encryption`,
      });
    }
    if (value.accessible === true && value.permissions?.accessibility === false) {
      const message = 'must not be false in an accessible PDF';
      context.addIssue({ code: 'custom', path: ['permissions', 'accessibility'], message });
    }
  })
  .openapi('PdfOptions');

export type PdfRequest = z.infer<typeof pdfRequest>;
