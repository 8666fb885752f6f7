import type { ScannedTag, TagProblem } from '../../language/scan-tags.ts';
import { elementSection } from '../../language/tag.ts';
import type { TagFault } from '../feature.ts';
import type { ParseFault } from './parse-parts.ts';

const messages: Readonly<Record<string, string>> = {
  loop_position_invalid:
    'starts and ends in places that do not fit together, for example one inside and one outside a table',
  unbalanced_loop_tags: 'overlaps another section of the same table row',
  no_xml_tag_found_at_left: 'starts where it cannot be repeated',
  no_xml_tag_found_at_right: 'ends where it cannot be repeated',
};
const crossedMessages: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  section_crosses_link: [
    'has one of its tags inside a link and the other one outside',
    'put both tags into the text of the link, or both outside of it',
  ],
  section_crosses_field: [
    'has one of its tags inside a field and the other one outside',
    'put both tags outside of the field',
  ],
  section_crosses_control: [
    'has one of its tags inside a content control and the other one outside',
    'put both tags into the control, or both outside of it',
  ],
  section_crosses_revision: [
    'has one of its tags inside a tracked change and the other one outside',
    'accept or reject the tracked changes (Review, Accept)',
  ],
};
const elements: Readonly<Record<string, readonly [name: string, hint: string]>> = {
  'w:p': ['paragraph', 'put the tag and its closing tag into the paragraphs that repeat'],
  'w:tr': [
    'table row',
    'put the tag into the first cell of the row that repeats, and its closing tag into the last cell',
  ],
  'w:tbl': [
    'table',
    'put the tag into the first cell of the table that repeats, and its closing tag into the last cell',
  ],
};
const hint = 'put both tags of a section into one paragraph, one table row, or paragraphs of their own';

interface TaggedText {
  readonly text: string;
  readonly tags: readonly ScannedTag[];
}

/** Turns the faults of one part, from docxtemplater and features, into problems for the template author. */
export function structureProblems(
  faults: readonly ParseFault[],
  tagFaults: readonly TagFault[],
  { text, tags }: TaggedText,
): TagProblem[] {
  if (faults.length === 0 && tagFaults.length === 0) return [];
  const tagAt = tagsByEngineOffset(text, tags);
  const find = (at: number | undefined) => (at === undefined ? undefined : tagAt.get(at));
  const misplaced = tagFaults.map(({ subject, problem, hint: ofFault, piece }) => {
    const found = find(piece.offset);
    const tag = found?.written ?? `{${piece.value}}`;
    return { message: `the ${subject} ${tag} ${problem}`, tag, offset: found?.offset ?? 0, hint: ofFault };
  });
  const ofSections = faults.map(({ id, offset: at, tag: name }) => {
    const found = find(at);
    const tag = found?.written ?? (name === undefined ? '' : `{#${name}}`);
    const offset = found?.offset ?? 0;
    const crossed = crossedMessages[id];
    if (crossed !== undefined) return { message: `the section ${tag} ${crossed[0]}`, tag, offset, hint: crossed[1] };
    const element = elements[elementSection.exec(tag.slice(1, -1))?.[1] ?? ''];
    if (id === 'no_xml_tag_found_at_left' && element !== undefined)
      return {
        message: `the section ${tag} repeats a ${element[0]}, but is not in one`,
        tag,
        offset,
        hint: element[1],
      };
    const message = messages[id];
    if (message !== undefined) return { message: `the section ${tag} ${message}`, tag, offset, hint };
    return { message: 'the part cannot be read', tag, offset, hint: 'open the file in Word and save it again' };
  });
  return [...ofSections, ...misplaced];
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
