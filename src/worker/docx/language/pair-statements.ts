import { isPlainName } from './expressions/names.ts';
import type { ParsedTag } from './tag.ts';

/** A section to write instead of a block of another template language. */
interface Section {
  readonly sign: '#' | '^';
  readonly subject: string;
}

/** A tag of a block in another template language, such as `{% if paid %}`, `{{else}}` or `{{/if}}`. */
export interface Statement {
  readonly step: 'start' | 'else' | 'end';
  /** The section that begins at `start` and at an `else if`. */
  readonly section?: Section | undefined;
}

interface Problem {
  readonly message: string;
  readonly tag: string;
  readonly offset: number;
  readonly hint?: string | undefined;
  readonly statement?: Statement | undefined;
}

type Tag = Pick<ParsedTag, 'kind' | 'text'> & { readonly offset: number };

/** The words that begin and end a section in other template languages. */
export const blockHelper = /^(?:if|unless|each|for|foreach|with)$/;

/** The tag that ends a section; an expression is not repeated in it. */
export function closingTag({ subject }: Pick<Section, 'subject'>): string {
  return isPlainName(subject) ? `{/${subject}}` : '{/}';
}

export const openingTag = ({ sign, subject }: Section): string => `{${sign}${subject}}`;

/**
 * Completes the hints of blocks of other template languages, so that those of `{{#if paid}}`, `{{else}}` and `{{/if}}`
 * together are one correct section. Expects problems and tags in the order of the text.
 */
export function pairStatements<T extends Problem>(problems: readonly T[], tags: readonly Tag[]): readonly T[] {
  if (problems.every(({ statement }) => statement === undefined)) return problems;
  const open: Section[] = [];
  const hints = new Map<Problem, string>();
  let end = 0;
  const all: readonly (Problem | Tag)[] = [...problems, ...tags];
  for (const one of all.toSorted((a, b) => a.offset - b.offset)) {
    const isProblem = 'message' in one;
    // A tag inside a problem is the same tag again.
    if (!isProblem && one.offset < end) continue;
    if (isProblem) end = one.offset + one.tag.length;
    const step = isProblem ? one.statement : statementOf(one);
    const last = open.at(-1);
    if (step !== undefined && step.step !== 'start' && last !== undefined) {
      if (isProblem) hints.set(one, `write ${replacementOf(step, last)}`);
      open.pop();
    }
    const next = step?.step === 'else' && last !== undefined ? nextSection(step, last) : step?.section;
    if (next !== undefined) open.push(next);
  }
  return problems.map((problem) => ({ ...problem, hint: hints.get(problem) ?? problem.hint }));
}

function statementOf({ kind, text }: Tag): Statement | undefined {
  if (kind === 'close') return { step: 'end' };
  if (kind !== 'section' && kind !== 'inverted') return undefined;
  return { step: 'start', section: { sign: kind === 'section' ? '#' : '^', subject: text } };
}

/** What an `else`, an `else if` or an end becomes inside a section. */
function replacementOf(statement: Statement, last: Section): string {
  return statement.step === 'end' ? closingTag(last) : closingTag(last) + openingTag(nextSection(statement, last));
}

function nextSection({ section }: Statement, { sign, subject }: Section): Section {
  return section ?? { sign: sign === '#' ? '^' : '#', subject };
}
