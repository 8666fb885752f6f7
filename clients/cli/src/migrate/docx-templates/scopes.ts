import type { Segment } from '../expressions/docmill-text.ts';
import { Untranslatable } from '../expressions/translate-javascript.ts';

/** A FOR that is not yet closed by its END-FOR. */
export interface Loop {
  readonly variable: string;
  /** The first path segments that its tags read from an item. */
  readonly names: Set<string>;
}

/** Translates `$person.name` into a path that Docmill resolves from the innermost item. */
export function resolveIn(loops: readonly Loop[]): (segments: readonly Segment[]) => readonly Segment[] {
  return (segments) => {
    const [first, ...rest] = segments;
    if (typeof first !== 'string') return segments;
    if (first === '$idx') return loops.length === 0 ? fail('$idx stands in no list.') : ['$index'];
    const at = first.startsWith('$') ? loops.findLastIndex(({ variable }) => `$${variable}` === first) : -1;
    if (first.startsWith('$') && at === -1) return fail(`${first} is the item of no list around it.`);
    const inner = loops.slice(at + 1);
    const [head] = at === -1 ? [first] : rest;
    if (head === undefined) {
      if (inner.length > 0) fail('Inside an inner list, Docmill has no name for the whole item of an outer one.');
      return [];
    }
    if (typeof head === 'string') {
      const owner = loops[at];
      owner?.names.add(head);
      if (inner.some(({ names }) => names.has(head))) {
        fail(
          `The items of the inner list also have ${head}, which Docmill finds first. Rename one of them in the data.`,
        );
      }
    }
    return at === -1 ? segments : rest;
  };
}

function fail(message: string): never {
  throw new Untranslatable(message);
}
