import type { ScannedTag, TagProblem } from '../language/scan-tags.ts';
import type { ParseFault } from './parse-parts.ts';

const messages: Readonly<Record<string, string>> = {
  loop_position_invalid:
    'starts and ends in places that do not fit together, for example one inside and one outside a table',
  unbalanced_loop_tags: 'overlaps another section of the same table row',
  no_xml_tag_found_at_left: 'starts where it cannot be repeated',
  no_xml_tag_found_at_right: 'ends where it cannot be repeated',
};
const hint = 'put both tags of a section into one paragraph, one table row, or paragraphs of their own';

/** docxtemplater's faults of one part in our words. */
export function structureProblems(
  faults: readonly ParseFault[],
  { text, tags }: { readonly text: string; readonly tags: readonly ScannedTag[] },
): TagProblem[] {
  if (faults.length === 0) return [];
  const tagAt = tagsByEngineOffset(text, tags);
  return faults.map(({ id, offset: at, tag: name }) => {
    const found = at === undefined ? undefined : tagAt.get(at);
    const tag = found?.written ?? (name === undefined ? '' : `{#${name}}`);
    const offset = found?.offset ?? 0;
    const message = messages[id];
    if (message !== undefined) return { message: `the section ${tag} ${message}`, tag, offset, hint };
    return { message: 'the part cannot be read', tag, offset, hint: 'open the file in Word and save it again' };
  });
}

/** docxtemplater counts the text without our marks and with `>` escaped. */
function tagsByEngineOffset(text: string, tags: readonly ScannedTag[]): Map<number, ScannedTag> {
  const found = new Map<number, ScannedTag>();
  let read = 0;
  let count = 0;
  for (const tag of tags) {
    const between = text.slice(read, tag.offset);
    count += between.replace(/[\f\v]/g, '').length + 3 * (between.split('>').length - 1);
    read = tag.offset;
    found.set(count, tag);
  }
  return found;
}
