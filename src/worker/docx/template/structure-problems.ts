import { extractText } from '../language/extract-text.ts';
import { type ScannedTag, scanTags, type TagProblem } from '../language/scan-tags.ts';
import { docxLimits } from '../limits.ts';
import type { ParseFault } from './parse-parts.ts';

const messages: Readonly<Record<string, string>> = {
  loop_position_invalid:
    'starts and ends in places that do not fit together, for example one inside and one outside a table',
  unbalanced_loop_tags: 'overlaps another section of the same table row',
  no_xml_tag_found_at_left: 'starts where it cannot be repeated',
  no_xml_tag_found_at_right: 'ends where it cannot be repeated',
};
const hint = 'put both tags of a section into one paragraph, one table row, or paragraphs of their own';

/** docxtemplater's faults of one part in our words. `tags` are the part's, `foldedXml` is what docxtemplater read. */
export function structureProblems(
  faults: readonly ParseFault[],
  tags: readonly ScannedTag[],
  foldedXml: string,
): TagProblem[] {
  const tagAt = tagsByEngineOffset(foldedXml, tags);
  return faults.map(({ id, offset: at, tag: name }) => {
    const found = at === undefined ? undefined : tagAt.get(at);
    const tag = found?.written ?? (name === undefined ? '' : `{#${name}}`);
    const offset = found?.offset ?? 0;
    const message = messages[id];
    if (message !== undefined) return { message: `the section ${tag} ${message}`, tag, offset, hint };
    return { message: 'the part cannot be read', tag, offset, hint: 'open the file in Word and save it again' };
  });
}

/** docxtemplater counts the text it read, without our marks and with `>` escaped. */
function tagsByEngineOffset(foldedXml: string, tags: readonly ScannedTag[]): Map<number, ScannedTag> {
  const text = extractText(foldedXml);
  const found = new Map<number, ScannedTag>();
  let read = 0;
  let count = 0;
  for (const [i, { offset }] of scanTags(text, docxLimits.tags).tags.entries()) {
    const between = text.slice(read, offset);
    count += between.replace(/[\f\v]/g, '').length + 3 * (between.split('>').length - 1);
    read = offset;
    const tag = tags[i];
    if (tag !== undefined) found.set(count, tag);
  }
  return found;
}
