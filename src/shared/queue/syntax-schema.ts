import { z } from 'zod';
import type { TemplateSyntax } from '../template-syntax.ts';

/** The tag syntax of a template, in job payloads. */
export const syntaxSchema: z.ZodType<TemplateSyntax> = z.object({
  open: z.string(),
  close: z.string(),
  unlikelyTags: z.enum(['text', 'fill']),
  hasEscapes: z.boolean(),
});
