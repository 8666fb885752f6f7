import { hiddenNumber } from '../../language/hidden-number.ts';
import type { ScannedTag, TagProblem } from '../../language/scan-tags.ts';
import type { Inclusion } from '../inclusion.ts';
import type { FaultyPart } from './template-error.ts';

interface TaggedPart extends FaultyPart {
  readonly tags: readonly ScannedTag[];
}

/** Names the included template instead of the part if a problem lies in its content. */
export function nameIncluded(part: TaggedPart, inclusions: readonly Inclusion[]): readonly FaultyPart[] {
  if (inclusions.length === 0 || part.problems.length === 0) return [part];
  const { text } = part;
  return part.problems.map((problem) => {
    const template = templateAt(problem, part, inclusions);
    const label = template === undefined ? part.label : `template "${template}"`;
    return { label, text, problems: [problem] };
  });
}

/** The innermost included template around a problem. */
function templateAt(
  { offset }: TagProblem,
  { tags, text }: TaggedPart,
  inclusions: readonly Inclusion[],
): string | undefined {
  const open: (string | undefined)[] = [];
  for (const tag of tags) {
    if (tag.offset > offset) break;
    if (tag.kind === 'close') open.pop();
    if (tag.kind !== 'section' && tag.kind !== 'inverted') continue;
    const number = hiddenNumber(text.slice(tag.offset, text.indexOf('}', tag.offset)));
    open.push(number === undefined ? undefined : inclusions[number]?.template);
  }
  return open.findLast((template) => template !== undefined);
}
