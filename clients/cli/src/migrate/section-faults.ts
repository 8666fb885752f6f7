import type { SourceTag } from './tags.ts';
import { closest } from './word-file/layout.ts';

interface Section {
  readonly open: SourceTag;
  readonly close: SourceTag;
}

/**
 * The section tags that Docmill would reject at upload, with the reason: those without a counterpart, and sections that
 * cross the edge of a table or each other in a row. `texts` are the tags of a part as they will be written.
 */
export function findSectionFaults(texts: ReadonlyMap<SourceTag, string>): ReadonlyMap<SourceTag, string> {
  const faults = new Map<SourceTag, string>();
  const open: SourceTag[] = [];
  const sections: Section[] = [];
  const inOrder = [...texts].sort(([a], [b]) => a.place - b.place || a.start - b.start);
  for (const [tag, text] of inOrder) {
    if (tag.paragraph.isFallback) continue;
    if (/^\{(?:[#^]|-w:)/.test(text)) open.push(tag);
    if (!text.startsWith('{/')) continue;
    const begin = open.pop();
    if (begin === undefined) faults.set(tag, 'It closes no section.');
    else sections.push({ open: begin, close: tag });
  }
  for (const tag of open) faults.set(tag, `The section ${tag.written} is not closed.`);
  for (const section of sections) {
    if (tableDepth(section.open) === tableDepth(section.close)) continue;
    report(
      faults,
      section,
      'One of the tags is inside a table and the other one outside. Put both inside, or both outside.',
    );
  }
  for (const section of findOverlaps(sections.filter(isInSeveralCells)))
    report(faults, section, 'It overlaps another section of the same table row. Nest them, or use rows of their own.');
  return faults;
}

function report(faults: Map<SourceTag, string>, { open, close }: Section, reason: string): void {
  for (const tag of [open, close]) faults.set(tag, reason);
}

function tableDepth({ paragraph }: SourceTag): number {
  let depth = 0;
  let table = closest(paragraph.element, 'w:tbl');
  while (table !== undefined) {
    depth += 1;
    const outer = table.parentNode;
    table = outer === null ? undefined : closest(outer as typeof table, 'w:tbl');
  }
  return depth;
}

const rowOf = ({ paragraph }: SourceTag) => closest(paragraph.element, 'w:tr');

/** Docmill repeats the rows of such a section as a whole. */
function isInSeveralCells({ open, close }: Section): boolean {
  const [from, to] = [open, close].map(({ paragraph }) => closest(paragraph.element, 'w:tc'));
  return from !== undefined && to !== undefined && from !== to;
}

/** The sections that begin in the row in which another one, that does not contain them, ends. */
function findOverlaps(sections: readonly Section[]): readonly Section[] {
  const isBefore = (a: SourceTag, b: SourceTag) => a.place < b.place || (a.place === b.place && a.start < b.start);
  return sections.filter((later) =>
    sections.some((one) => isBefore(one.close, later.open) && rowOf(one.close) === rowOf(later.open)),
  );
}
