import { AppError } from '../../../../shared/errors.ts';
import type { TemplateSyntax } from '../../../../shared/template-syntax.ts';
import { hasDefaultDelimiters, unmarkBraces, withDelimiters } from '../../language/delimiters.ts';
import { plain } from '../../language/scan-tags.ts';
import { extractText } from './extract-text.ts';
import type { ScannedPart } from './scan-template.ts';

/** Tags outside of braces, as other engines have them, and the delimiters with which they can be uploaded. */
const otherTags: readonly (readonly [pattern: RegExp, delimiters: string])[] = [
  [/<<\[?[#/^]?\s*[\w.]+\s*\]?>>/, '<< >>'],
  [/\[\[[#/^]?\s*[\w.]+\s*\]\]/, '[[ ]]'],
  [/<%=?\s*[\w.]+\s*%>/, '<% %>'],
];

const docxTemplates = /\+\+\+\s*(?:(?:INS|FOR|IF|END-|IMAGE|EXEC|QUERY|HTML|LINK|=)|[\p{L}$_][^+]*\+\+\+)/u;

type PartText = Pick<ScannedPart, 'text' | 'texts' | 'collapsed'>;

/** The delimiters of tags that a part seems to have, apart from those of its template. */
export function otherDelimiters(part: PartText, { open, close }: TemplateSyntax): string | undefined {
  const read = wholeText(part);
  return otherTags.find(([pattern, delimiters]) => delimiters !== `${open} ${close}` && pattern.test(read))?.[1];
}

/** The text of a part, without order: that around its tags, then that of its stretches without tags. */
function wholeText({ text, collapsed: { stretches } }: PartText): string {
  return unmarkBraces(plain([text, ...stretches.map(({ xml }) => extractText(xml))].join('')));
}

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
    if (other !== undefined)
      return `Its tags have other delimiters: upload it with the field delimiters and the value "${other}".`;
    if (docxTemplates.test(wholeText(part)))
      return 'Its tags are commands of docx-templates: rewrite them with "docmill migrate --from docx-templates".';
    if (!hasDefaultDelimiters(syntax) && /\{[\w.]+\}/.test(wholeText(part)))
      return 'Its tags stand in braces: upload it without the field delimiters.';
  }
  const unlikely = parts.flatMap(({ texts }) => texts).find(({ kind }) => kind !== undefined);
  if (unlikely !== undefined)
    return `${withDelimiters(unlikely.written, syntax)} counts as ${unlikely.kind}. Write a name, or upload the template with unlikelyTags "fill".`;
  return `Write a tag where data belongs, for example ${withDelimiters('{name}', syntax)}.`;
}
