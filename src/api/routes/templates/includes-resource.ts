import { z } from '@hono/zod-openapi';
import type { IncludedNow } from '../../../shared/domain/templates/resolve-includes.ts';
import { exampleId } from '../common-schemas.ts';

const includeSchema = z
  .object({
    name: z.string().openapi({ description: 'The name or the id by which a tag includes it.', example: 'terms' }),
    status: z.enum(['found', 'missing', 'ambiguous']).openapi({
      description:
        '`missing`: the account has no such template. `ambiguous`: it has several of this name. Documents are refused in both cases.',
    }),
    templateId: z
      .string()
      .optional()
      .openapi({ description: 'Id of the template.', example: exampleId('tpl') }),
    version: z.number().int().optional().openapi({ description: 'Its current version.', example: 1 }),
  })
  .openapi('TemplateInclude', { description: 'A template that the tags of a template include.' });

/** Fields of a template that describe the templates it includes. */
export const includesFields = {
  includes: z.array(includeSchema).optional().openapi({
    description: 'The templates that its own tags include, as new documents find them. Absent for none.',
  }),
};

export function toIncludes(included: readonly IncludedNow[]): { includes?: z.infer<typeof includeSchema>[] } {
  if (included.length === 0) return {};
  return { includes: included.map(({ reference, ...found }) => ({ name: reference, ...found })) };
}
