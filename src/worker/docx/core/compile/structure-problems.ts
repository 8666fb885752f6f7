import type { ScannedTag, TagProblem } from '../../language/scan-tags.ts';
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
const columnMessages: Readonly<Record<string, string>> = {
  column_outside_table: 'stands outside of the cells of a table',
  column_twice: 'stands in a column that another such tag repeats already',
  column_crossed: 'stands in a column that a merged cell of another row covers only in part',
  column_in_parted_table: 'stands in a table that a section takes apart',
  column_too_many: 'stands in a table with more than 63 columns',
};
const pictureMessages: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  picture_place: [
    'stands where no picture can be shown',
    'put it into the text of the document, not into its properties, formulas or diagrams',
  ],
  picture_not_alone: ['does not stand alone in its paragraph', 'put it into a paragraph of its own, or write one %'],
};
const columnHint = 'put it into one cell of the column that it repeats or leaves out';
const hint = 'put both tags of a section into one paragraph, one table row, or paragraphs of their own';

/** docxtemplater's faults of one part in our words. */
export function structureProblems(
  faults: readonly ParseFault[],
  { text, tags }: { readonly text: string; readonly tags: readonly ScannedTag[] },
): TagProblem[] {
  if (faults.length === 0) return [];
  const tagAt = tagsByEngineOffset(text, tags);
  const columns = faults.some(({ written }) => written !== undefined)
    ? columnTags(tags)
    : new Map<string, ScannedTag>();
  return faults.map(({ id, offset: at, tag: name, written }) => {
    if (written !== undefined) return columnProblem(id, written, columns);
    const found = at === undefined ? undefined : tagAt.get(at);
    const tag = found?.written ?? (name === undefined ? '' : `{#${name}}`);
    const offset = found?.offset ?? 0;
    const picture = pictureMessages[id];
    if (picture !== undefined) return { message: `the picture ${tag} ${picture[0]}`, tag, offset, hint: picture[1] };
    const crossed = crossedMessages[id];
    if (crossed !== undefined) return { message: `the section ${tag} ${crossed[0]}`, tag, offset, hint: crossed[1] };
    const message = messages[id];
    if (message !== undefined) return { message: `the section ${tag} ${message}`, tag, offset, hint };
    return { message: 'the part cannot be read', tag, offset, hint: 'open the file in Word and save it again' };
  });
}

/** The first of each wording. */
function columnTags(tags: readonly ScannedTag[]): Map<string, ScannedTag> {
  const columns = new Map<string, ScannedTag>();
  for (const tag of tags) {
    const key = tag.written.replace(/\s/g, '');
    if (tag.kind === 'column' && !columns.has(key)) columns.set(key, tag);
  }
  return columns;
}

function columnProblem(id: string, written: string, columns: ReadonlyMap<string, ScannedTag>): TagProblem {
  const found = columns.get(written.replace(/\s/g, ''));
  const tag = found?.written ?? written;
  const message = `the column tag ${tag} ${columnMessages[id] ?? 'cannot be used here'}`;
  return { message, tag, offset: found?.offset ?? 0, hint: columnHint };
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
