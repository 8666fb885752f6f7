import { AppError } from '../../../../shared/errors.ts';
import { mayHaveColumns } from '../../features/columns/column-tags.ts';
import { scanControls } from '../../features/controls/scan-controls.ts';
import { markPlaceholders } from '../../features/images/mark-placeholders.ts';
import type { Placeholder } from '../../features/images/placeholder.ts';
import { type PartAddresses, scanAddresses } from '../../features/links/scan-addresses.ts';
import { hasFieldAddress } from '../../features/links/split-links.ts';
import { checkSections } from '../../language/check-sections.ts';
import { type ScannedTag, scanTags, type TagProblem } from '../../language/scan-tags.ts';
import { docxLimits } from '../../limits.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { type FoldedPart, foldStatic } from './collapse-static.ts';
import { extractText } from './extract-text.ts';
import { templatedParts } from './templated-parts.ts';

export interface ScannedPart {
  readonly name: string;
  readonly contentType: string;
  /** Where an author finds it: `body`, `header 1`, `footnotes`. */
  readonly label: string;
  readonly sizeChars: number;
  readonly folded: FoldedPart;
  /** The text around the tags; offsets of tags and problems count in it. */
  readonly text: string;
  readonly tags: readonly ScannedTag[];
  readonly problems: readonly TagProblem[];
  readonly addresses: PartAddresses;
  /** Pictures whose alternative text is a tag; the tag stands in the text. */
  readonly placeholders: readonly Placeholder[];
  /** It has tags, be they in the address of a link. */
  readonly hasTags: boolean;
}

/** Finds every tag of a template and every mistake in it. Throws `template_invalid` only for what is too much to read. */
export function scanTemplate(source: DocxPackage): readonly ScannedPart[] {
  const room = { tags: docxLimits.tags, elements: docxLimits.elementsAroundTags, chars: docxLimits.charsAroundTags };
  return templatedParts(source).map(({ name, contentType, label, xml: original }) => {
    const { xml, placeholders } = markPlaceholders(original);
    const folded = foldStatic(xml, { keepsCells: mayHaveColumns(xml) || xml.includes('<w:vMerge') });
    room.chars -= folded.xml.length;
    if (room.chars < 0)
      throw tooMuch(
        'The paragraphs that hold tags are too long: they have',
        docxLimits.charsAroundTags,
        'characters of XML',
      );
    room.elements -= folded.xml.split('</').length - 1;
    if (room.elements < 0)
      throw tooMuch('The paragraphs that hold tags have', docxLimits.elementsAroundTags, 'elements of formatting');
    const text = extractText(folded.xml);
    const { tags, problems, isCut } = scanTags(text, room.tags);
    if (isCut) throw tooMuch('The template contains', docxLimits.tags, 'tags');
    room.tags -= tags.length;
    const controls = scanControls(xml);
    const all = [...problems, ...checkSections(tags), ...controls.problems];
    const addresses = scanAddresses(source, name, xml);
    const hasTags = tags.length > 0 || addresses.byId.size > 0 || hasFieldAddress(xml) || controls.hasCheckboxes;
    const found = { text, tags, problems: all, addresses, placeholders, hasTags };
    return { name, contentType, label, sizeChars: xml.length, folded, ...found };
  });
}

function tooMuch(subject: string, limit: number, unit: string): AppError {
  const message = `${subject} more than ${limit} ${unit}.`;
  const hint = 'Repeat parts of the document with a section, for example {#items}…{/items}.';
  return new AppError('template_invalid', 'Template validation errors', {
    details: [{ type: 'Message', message, hint }],
  });
}
