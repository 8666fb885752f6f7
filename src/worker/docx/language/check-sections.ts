import { docxLimits } from '../limits.ts';
import { editDistance } from './edit-distance.ts';
import { isPlainName } from './expressions/names.ts';
import { normalizeExpression } from './expressions/normalize-expression.ts';
import { blockHelper } from './pair-statements.ts';
import type { ScannedTag, TagProblem } from './scan-tags.ts';

/** Finds sections of one part that are unclosed, closed twice, overlapping or nested too deep. */
export function checkSections(tags: readonly ScannedTag[]): TagProblem[] {
  const problems: TagProblem[] = [];
  const open: ScannedTag[] = [];
  const names = new SectionNames();
  let isTooDeep = false;
  for (const tag of tags) {
    if (problems.length > docxLimits.errorDetails) return problems;
    if (tag.kind === 'section' || tag.kind === 'inverted') {
      open.push(tag);
      if (open.length > docxLimits.sectionDepth && !isTooDeep) {
        isTooDeep = true;
        problems.push(tooDeep(tag));
      }
    } else if (tag.kind === 'close') closeSection(tag, open, names, problems);
  }
  for (const tag of open) problems.push(neverClosed(tag));
  return problems.sort((a, b) => a.offset - b.offset);
}

function closeSection(tag: ScannedTag, open: ScannedTag[], names: SectionNames, problems: TagProblem[]): void {
  const last = open.at(-1);
  if (last !== undefined && names.closes(tag.text, last.text)) {
    open.pop();
    return;
  }
  const opener = open.findLastIndex((candidate) => names.closes(tag.text, candidate.text));
  if (tag.text !== '' && opener !== -1) {
    for (const inner of open.splice(opener).slice(1)) problems.push(crossed(inner, tag));
  } else if (last !== undefined && isAlike(sectionName(last.text), tag.text)) {
    open.pop();
    problems.push(misnamed(last, tag));
  } else problems.push(neverOpened(tag));
}

function neverClosed(tag: ScannedTag): TagProblem {
  const message = `the section ${tag.written} is never closed`;
  return { message, tag: tag.written, offset: tag.offset, hint: `add {/${sectionName(tag.text)}} where it ends` };
}

function neverOpened(tag: ScannedTag): TagProblem {
  const message = `${tag.written} closes a section that is not open`;
  const hint = tag.text === '' ? undefined : `add {#${tag.text}} where it starts`;
  return { message, tag: tag.written, offset: tag.offset, hint };
}

function crossed(inner: ScannedTag, outer: ScannedTag): TagProblem {
  const message = `the section ${inner.written} is not closed before ${outer.written}`;
  return {
    message,
    tag: inner.written,
    offset: inner.offset,
    hint: `add {/${sectionName(inner.text)}} before ${outer.written}`,
  };
}

function misnamed(start: ScannedTag, end: ScannedTag): TagProblem {
  const message = `the section ${start.written} is closed by ${end.written}`;
  return { message, tag: end.written, offset: end.offset, hint: `write {/${sectionName(start.text)}}` };
}

function tooDeep(tag: ScannedTag): TagProblem {
  const message = `the section ${tag.written} is nested too deep: at most ${docxLimits.sectionDepth} sections inside one another are allowed`;
  return { message, tag: tag.written, offset: tag.offset };
}

/** Whether at most two letters differ, which suggests a typo. */
function isAlike(a: string, b: string): boolean {
  return (
    Math.abs(a.length - b.length) <= 2 &&
    Math.min(a.length, b.length) > 2 &&
    editDistance(a.slice(0, 80), b.slice(0, 80)) <= 2
  );
}

/** An option of easy-template-x, which is reported as a separate mistake. */
const loopOption = /\s*\[\s*loopOver\b[^\]]*\]$/;

/** The name by which `{/…}` may close a section: `items` for `items | where:"open":true`. */
function sectionName(text: string): string {
  const pipe = text.search(/(?<!\|)\|(?!\|)/);
  return pipe === -1 ? text.replace(loopOption, '') : text.slice(0, pipe).trim();
}

/** Matches closing tags with their sections. Expressions are compared after normalization, not as typed. */
class SectionNames {
  readonly #normalized = new Map<string, string>();

  /** Whether `{/closer}` closes `{#opener}`: the closer is the opener's name, its whole text, or empty. */
  closes(closer: string, opener: string): boolean {
    if (closer === '' || closer === opener) return true;
    // `{#if paid}` is already reported as a mistake, so `{/if}` closes it without another one.
    if (blockHelper.test(closer) && opener.startsWith(`${closer} `)) return true;
    const closing = this.#normalize(closer);
    return closing === this.#normalize(opener) || closing === this.#normalize(sectionName(opener));
  }

  #normalize(text: string): string {
    const known = this.#normalized.get(text);
    if (known !== undefined) return known;
    const normalized = isPlainName(text) ? text : normalizeExpression(text).replaceAll(' ', '');
    this.#normalized.set(text, normalized);
    return normalized;
  }
}
