import type { TagProblem } from '../../language/scan-tags.ts';
import { readCheckbox } from './checkbox.ts';

export interface ScannedControls {
  /** Some checkbox is ticked by data. */
  readonly hasCheckboxes: boolean;
  readonly problems: readonly TagProblem[];
}

const none: ScannedControls = { hasCheckboxes: false, problems: [] };
const properties = /<w:sdtPr(?:\s[^>]*)?>[\s\S]*?<\/w:sdtPr\s*>/g;

/** The checkboxes of a part that have a tag in their title, and every mistake in those tags. */
export function scanControls(xml: string): ScannedControls {
  if (!xml.includes('<w14:checkbox')) return none;
  let hasCheckboxes = false;
  const problems: TagProblem[] = [];
  for (const [text] of xml.matchAll(properties)) {
    const checkbox = readCheckbox(text);
    if (checkbox === undefined) continue;
    hasCheckboxes = true;
    const { formula, problem } = checkbox;
    if (problem === undefined) continue;
    const tag = /[{}]/.test(formula) ? formula : `{${formula}}`;
    const message = `the tag ${tag} in the title of a checkbox is not valid: ${problem.message}`;
    problems.push({ message, tag, offset: Number.MAX_SAFE_INTEGER, hint: problem.hint });
  }
  return { hasCheckboxes, problems };
}
