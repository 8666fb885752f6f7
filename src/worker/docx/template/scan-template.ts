import { AppError } from '../../../shared/errors.ts';
import { checkSections } from '../language/check-sections.ts';
import { extractText } from '../language/extract-text.ts';
import { type ScannedTag, scanTags } from '../language/scan-tags.ts';
import { docxLimits } from '../limits.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { type FaultyPart, templateError } from './template-error.ts';
import { type TemplatedPart, templatedParts } from './templated-parts.ts';

export interface ScannedPart extends TemplatedPart {
  readonly text: string;
  readonly tags: readonly ScannedTag[];
}

/**
 * Finds every tag of a template, before anything is built from it. Throws `template_invalid` with one detail for each
 * mistake in the tags, for a template without tags, and for one with too many.
 */
export function scanTemplate(source: DocxPackage): readonly ScannedPart[] {
  const scanned: ScannedPart[] = [];
  const faulty: FaultyPart[] = [];
  let room: number = docxLimits.tags;
  for (const part of templatedParts(source)) {
    const text = extractText(part.xml);
    const { tags, problems, isCut } = scanTags(text, room);
    if (isCut) throw tooManyTags();
    room -= tags.length;
    const all = [...problems, ...checkSections(tags)].sort((a, b) => a.offset - b.offset);
    if (all.length > 0) faulty.push({ label: part.label, text, problems: all });
    scanned.push({ ...part, text, tags });
  }
  if (faulty.length > 0) throw templateError(faulty);
  if (room === docxLimits.tags) throw noTags();
  return scanned;
}

function noTags(): AppError {
  const message = 'The template contains no tags.';
  const hint = 'Write a tag where data belongs, for example {name}.';
  return new AppError('template_invalid', 'Template validation errors', {
    details: [{ type: 'Message', message, hint }],
  });
}

function tooManyTags(): AppError {
  const message = `The template contains more than ${docxLimits.tags} tags.`;
  const hint = 'Repeat parts of the document with a section, for example {#items}…{/items}.';
  return new AppError('template_invalid', 'Template validation errors', {
    details: [{ type: 'Message', message, hint }],
  });
}
