import { z } from '@hono/zod-openapi';
import { defaultSyntax, parseDelimiters, type TemplateSyntax } from '../../../shared/template-syntax.ts';

const unlikelyTags = z.enum(['text', 'fill'], 'must be text or fill');

/** Form fields for the tag syntax of the file. */
export const syntaxFields = {
  delimiters: z
    .string()
    .refine(
      (text) => parseDelimiters(text) !== undefined,
      'must be two different delimiters with a space between them, such as "{{ }}", "<< >>" or "${ }": each of 2 to 4 of the characters { } [ ] < > $ % @ ! ? * + = _ -, apart from { and }',
    )
    .optional()
    .openapi({
      description:
        'The delimiters of the tags, separated by a space. They are stored with the version and kept by a re-upload that gives none. Default: `{ }`.',
      example: '{{ }}',
    }),
  unlikelyTags: unlikelyTags.optional().openapi({
    description:
      'What becomes of GUIDs, numbers, sets, code and sentences between delimiters. `text`: they print as they are, and a warning names them. `fill`: they are tags. Kept by a re-upload that does not give it. Default: text.',
  }),
} as const;

/** The tag syntax in the metadata of a template. */
export const syntaxResource = {
  delimiters: z.string().openapi({ description: 'The delimiters of the tags, separated by a space.', example: '{ }' }),
  unlikelyTags: unlikelyTags.openapi({
    description: 'Whether GUIDs, code and sentences between delimiters print as `text`, or are tags to `fill`.',
  }),
} as const;

export interface SyntaxFields {
  readonly delimiters?: string | undefined;
  readonly unlikelyTags?: TemplateSyntax['unlikelyTags'] | undefined;
}

/** The syntax that a form chooses. Absent fields keep their values from the replaced version. */
export function toSyntax(fields: SyntaxFields, replaced: TemplateSyntax | null = null): TemplateSyntax {
  const { open, close, unlikelyTags } = replaced ?? defaultSyntax;
  const chosen = fields.delimiters === undefined ? undefined : parseDelimiters(fields.delimiters);
  return { ...(chosen ?? { open, close }), unlikelyTags: fields.unlikelyTags ?? unlikelyTags, hasEscapes: true };
}

/** The API representation of a syntax. */
export function toSyntaxResource({ open, close, unlikelyTags }: TemplateSyntax) {
  return { delimiters: `${open} ${close}`, unlikelyTags };
}
