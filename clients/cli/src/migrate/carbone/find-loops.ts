import type { SourceTag } from '../tags.ts';
import { closest } from '../word-file/layout.ts';
import type { CarboneSegment, CarboneTag, Item } from './parse-tag.ts';

export interface ParsedTag {
  readonly tag: SourceTag;
  readonly parsed: CarboneTag;
}

/** A repeated list: its example tags with `[i]`, and the `[i+1]` that ends it. */
export interface Loop {
  readonly parent: Loop | undefined;
  readonly depth: number;
  readonly root: string;
  /** The path of the list, from the item of its parent or from the root. */
  readonly list: readonly CarboneSegment[];
  /** Conditions and sort orders from all of its tags. */
  readonly items: Map<string, Item>;
  readonly first: SourceTag;
  /** Tags with `[i+1]`, in document order. */
  readonly next: SourceTag[];
  /** The first path segments that its tags read from an item. */
  readonly names: Set<string>;
  /** The positions of `first` and of the first `next` among all tags. */
  readonly from: number;
  to: number;
}

export interface LoopedTag extends ParsedTag {
  readonly order: number;
  /** The innermost list that the value belongs to. */
  readonly loop: Loop | undefined;
  /** The path from the item of that list. */
  readonly rest: readonly CarboneSegment[];
  /** Whether the tag only marks the end of a list. */
  readonly isNext: boolean;
}

export interface FoundLoops {
  readonly tags: readonly LoopedTag[];
  readonly loops: readonly Loop[];
}

const isIterator = (segment: CarboneSegment): segment is CarboneSegment & { kind: 'brackets' } =>
  segment.kind === 'brackets' && segment.items.some(({ kind }) => kind === 'iterator');

const hasNext = (segment: CarboneSegment & { kind: 'brackets' }): boolean =>
  segment.items.some((item) => item.kind === 'iterator' && item.isNext);

/** The lists of a part. A list may be repeated in several places: an `[i]` after its `[i+1]` starts a new loop. */
export function findLoops(tags: readonly ParsedTag[]): FoundLoops {
  const loops: Loop[] = [];
  const current = new Map<string, Loop>();
  const looped = tags.map((one, order) => placeTag(one, order, loops, current));
  return { tags: looped, loops };
}

function placeTag({ tag, parsed }: ParsedTag, order: number, loops: Loop[], current: Map<string, Loop>): LoopedTag {
  let parent: Loop | undefined;
  let list: CarboneSegment[] = [];
  let isNext = false;
  for (const segment of parsed.segments) {
    if (!isIterator(segment)) {
      list.push(segment);
      continue;
    }
    const key = keyOf(tag, parsed.root, parent, list, loops);
    const known = current.get(key);
    if (known !== undefined) addItems(known, segment.items);
    if (hasNext(segment) || isNext) {
      if (known === undefined) break;
      // An inner list without its own [i+1] ends here, too.
      const isEnd = hasNext(segment) && (!isNext || known.next.length === 0);
      if (isEnd) known.to = Math.min(known.to, order);
      if (isEnd) known.next.push(tag);
      isNext = true;
      parent = known;
    } else if (known === undefined || known.next.length > 0) {
      parent = {
        parent,
        depth: (parent?.depth ?? 0) + 1,
        root: parsed.root,
        list,
        items: new Map(),
        first: tag,
        next: [],
        names: new Set(),
        from: order,
        to: Number.POSITIVE_INFINITY,
      };
      addItems(parent, segment.items);
      loops.push(parent);
      current.set(key, parent);
    } else parent = known;
    list = [];
  }
  const wantsNext = parsed.segments.some((segment) => isIterator(segment) && hasNext(segment));
  if (!wantsNext) {
    for (const loop of chainOf(parent)) {
      const [head] = loop === parent ? list : [];
      if (head?.kind === 'name') loop.names.add(head.name);
    }
    const [head] = parent?.list ?? [];
    if (head?.kind === 'name') parent?.parent?.names.add(head.name);
  }
  return { tag, parsed, order, loop: parent, rest: list, isNext: wantsNext };
}

function addItems(loop: Loop, items: readonly Item[]): void {
  for (const item of items) {
    const plain = item.kind === 'iterator' ? { ...item, isNext: false } : item;
    loop.items.set(JSON.stringify(plain), plain);
  }
}

/** A loop and its ancestors, the innermost first. */
export function chainOf(loop: Loop | undefined): readonly Loop[] {
  return loop === undefined ? [] : [loop, ...chainOf(loop.parent)];
}

/** Text boxes have their own loops. */
function keyOf(
  tag: SourceTag,
  root: string,
  parent: Loop | undefined,
  list: readonly CarboneSegment[],
  loops: readonly Loop[],
): string {
  const story = closest(tag.paragraph.element, 'w:txbxContent');
  const box = story === undefined ? '' : `${tag.paragraph.isFallback}`;
  return JSON.stringify([box, root, parent === undefined ? -1 : loops.indexOf(parent), list]);
}
