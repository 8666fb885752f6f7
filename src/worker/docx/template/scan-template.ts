import { AppError } from '../../../shared/errors.ts';
import { checkSections } from '../language/check-sections.ts';
import { extractText } from '../language/extract-text.ts';
import { type ScannedTag, scanTags, type TagProblem } from '../language/scan-tags.ts';
import { docxLimits } from '../limits.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { type TemplatedPart, templatedParts } from './templated-parts.ts';

export interface ScannedPart extends TemplatedPart {
  readonly text: string;
  readonly tags: readonly ScannedTag[];
  readonly problems: readonly TagProblem[];
}

/** Finds every tag of a template and every mistake in it. Throws `template_invalid` only for too many tags. */
export function scanTemplate(source: DocxPackage): readonly ScannedPart[] {
  let room: number = docxLimits.tags;
  return templatedParts(source).map((part) => {
    const text = extractText(part.xml);
    const { tags, problems, isCut } = scanTags(text, room);
    if (isCut) throw tooManyTags();
    room -= tags.length;
    return { ...part, text, tags, problems: [...problems, ...checkSections(tags)] };
  });
}

function tooManyTags(): AppError {
  const message = `The template contains more than ${docxLimits.tags} tags.`;
  const hint = 'Repeat parts of the document with a section, for example {#items}…{/items}.';
  return new AppError('template_invalid', 'Template validation errors', {
    details: [{ type: 'Message', message, hint }],
  });
}
