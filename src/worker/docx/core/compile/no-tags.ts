import { AppError } from '../../../../shared/errors.ts';
import type { TemplateSyntax } from '../../../../shared/template-syntax.ts';
import { withDelimiters } from '../../language/delimiters.ts';
import { bracesAsDelimiters, hasCommands, migrateCommands, otherDelimiters, type PartText } from './other-tags.ts';

/** The error for a template without tags. */
export function noTags(parts: readonly PartText[], syntax: TemplateSyntax): AppError {
  const message = 'The template contains no tags.';
  return new AppError('template_invalid', 'Template validation errors', {
    details: [{ type: 'Message', message, hint: hintFor(parts, syntax) }],
  });
}

function hintFor(parts: readonly PartText[], syntax: TemplateSyntax): string {
  for (const part of parts) {
    const other = otherDelimiters(part, syntax);
    if (other === bracesAsDelimiters) return 'Its tags are in braces: upload it without the field delimiters.';
    if (other !== undefined)
      return `Its tags have other delimiters: upload it with the field delimiters and the value "${other}".`;
    if (hasCommands(part)) return `Its tags are commands of docx-templates: ${migrateCommands}.`;
  }
  const unlikely = parts.flatMap(({ texts }) => texts).find(({ kind }) => kind !== undefined);
  if (unlikely !== undefined)
    return `${withDelimiters(unlikely.written, syntax)} counts as ${unlikely.kind}. Write a name, or upload the template with unlikelyTags "fill".`;
  return `Write a tag where data belongs, for example ${withDelimiters('{name}', syntax)}.`;
}
