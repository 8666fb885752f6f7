import { askedBy, type Node, type SectionNode } from '../../core/nodes.ts';
import { isLoopHelper } from '../../language/parse-path.ts';
import type { Use } from '../../language/use.ts';

/** The use that a section makes of its value: tests it, or iterates over a list (or enters an object). */
export type SectionRole =
  | { readonly kind: 'condition' }
  | {
      readonly kind: 'loop';
      readonly subject: Use;
      readonly isCertainlyList: boolean;
      readonly isPlural: boolean;
    };

/**
 * Whether names in a section are looked up in the surrounding data, as in some included templates and sections of
 * features.
 */
export const sharesData = ({ included, writer }: SectionNode): boolean =>
  included?.hasOwnScope === false || writer?.sharesData === true;

const condition: SectionRole = { kind: 'condition' };

/** Names of values that are yes or no, such as `hasEnclosures` and `is_late`; names in their sections are not their own. */
const flagName = /^(?:is|are|was|has|have|can|needs|show|hide|with|without|no)(?=[\p{Lu}_-])/u;

/**
 * Distinguishes loops from conditions, which look alike in a template: a loop uses names that are not used around it, which
 * are listed in `known`.
 */
export function sectionRole(section: SectionNode, known: ReadonlySet<string>): SectionRole {
  if (section.isInverted) return condition;
  const uses = section.expression.uses('section');
  const subject = uses.find((use) => use.kind === 'section');
  if (subject === undefined) return condition;
  const body = bodyNames(section.body, known);
  const isCertainlyList = subject.isList === true || body.usesItem;
  const isPlural = /[^su]s$/.test(subject.segments.at(-1) ?? '');
  const loop: SectionRole = { kind: 'loop', subject, isCertainlyList, isPlural };
  if (isCertainlyList) return loop;
  const own = subject.segments.join('.');
  if (body.printed.has(own) || flagName.test(subject.segments.at(-1) ?? '')) return condition;
  const isNew = [...body.names].some((name) => !known.has(name) && name !== subject.segments[0]);
  return isNew || (isPlural && body.names.size > 0) || body.hasLoop ? loop : condition;
}

interface BodyNames {
  readonly names: Set<string>;
  /** Full paths of printed values. */
  readonly printed: Set<string>;
  /** Whether a tag prints the item itself or its number. */
  usesItem: boolean;
  hasLoop: boolean;
}

function bodyNames(nodes: readonly Node[], known: ReadonlySet<string>): BodyNames {
  const found: BodyNames = { names: new Set(), printed: new Set(), usesItem: false, hasLoop: false };
  const visit = (inner: readonly Node[]) => {
    for (const node of inner) {
      if (node.kind === 'section') {
        if (sharesData(node)) visit(node.body);
        else visitSection(node);
        continue;
      }
      for (const { segments } of askedBy(node)?.expression.uses('print') ?? []) {
        addName(segments, found);
        found.printed.add(segments.join('.'));
      }
    }
  };
  const visitSection = (node: SectionNode) => {
    const isLoop = sectionRole(node, known).kind === 'loop';
    for (const { segments } of node.expression.uses('truth')) {
      if (segments[0] === '.' || isLoopHelper(segments[0] ?? '')) found.usesItem = true;
    }
    if (isLoop) found.hasLoop = true;
    else visit(node.body);
  };
  visit(nodes);
  return found;
}

function addName(segments: readonly string[], found: BodyNames): void {
  const [first = ''] = segments;
  if (first === '.' || isLoopHelper(first)) found.usesItem = true;
  else found.names.add(first);
}

/** The names used directly at one level: by its values, its sections, and inside its inverted sections. */
export function directNames(nodes: readonly Node[], names = new Set<string>()): ReadonlySet<string> {
  for (const node of nodes) {
    if (node.kind !== 'section') {
      for (const { segments } of askedBy(node)?.expression.uses('print') ?? []) names.add(segments[0] ?? '');
    } else if (node.isInverted || sharesData(node)) directNames(node.body, names);
  }
  return names;
}
