import { UnknownFeature } from '../unknown-feature.ts';
import { heightOf, paragraphItems } from './lay-out-paragraph.ts';
import type { CellLayout, RowLayout } from './row-layout.ts';
import { type Stack, type StackedPart, spaceAtEnd } from './stack.ts';

/** A row, a cell or its paragraphs, split at a page end. */
interface Halves<T> {
  readonly above: T;
  readonly below: T;
}

/**
 * Splits a row; `free` is the height in twips that it may have above a page end. Undefined if the whole row goes to the
 * next page, because a cell would keep no line, or all cells would keep all of theirs (Writer, `lcl_RecalcSplitLine`).
 * Throws UnknownFeature.
 */
export function splitRow(layout: RowLayout, free: number): Halves<RowLayout> | undefined {
  const inner = free - layout.borderAbove;
  if (!layout.isRest && !layout.cells.every((cell) => keepsLine(cell, inner))) return undefined;
  requireKnownRow(layout);
  const [above, below]: [CellLayout[], CellLayout[]] = [[], []];
  for (const cell of layout.cells) {
    const parts = splitParts(cell, inner);
    if (parts.above.length === 0) {
      if (!layout.isRest) return undefined;
      if (parts.below.length > 0) throw new UnknownFeature('a row over three pages');
    }
    above.push(withParts(cell, parts.above));
    below.push(withParts(cell, parts.below));
  }
  if (below.every(({ stack }) => stack.parts?.length === 0)) return undefined;
  return { above: withCells(layout, above), below: { ...withCells(layout, below), isRest: true } };
}

/** Whether the first line of a cell fits, without the margin below it. */
function keepsLine({ cell, stack }: CellLayout, free: number): boolean {
  const first = stack.items.find((item) => item.kind === 'line');
  return cell.marginTop + (first?.kind === 'line' ? first.top + first.line.height : 0) <= free;
}

/** Throws UnknownFeature for a row with properties that affect how it is split and have not been measured. */
function requireKnownRow({ row, keepsWithNext, cells }: RowLayout): void {
  if (keepsWithNext) throw new UnknownFeature('a row across a page end that stays with the next one');
  if (cells.some(({ stack }) => stack.parts?.some(isDecorated) === true))
    throw new UnknownFeature('shading, borders, pictures or automatic space in a row across a page end');
  const lines = cells.map(({ stack }) => stack.parts?.[0]?.lines[0]?.height ?? 0);
  if (row.height > Math.max(...lines)) throw new UnknownFeature('a row with a minimum height across a page end');
}

function isDecorated({ layout: { paragraph }, lines }: StackedPart): boolean {
  const { shading, borderTop, borderBottom, hasAutoBefore, hasAutoAfter } = paragraph.format;
  if (hasAutoBefore || hasAutoAfter) return true;
  if (paragraph.anchored.length > 0 || (shading ?? borderTop ?? borderBottom) !== undefined) return true;
  return lines.some(({ fragments }) => fragments.some(({ kind }) => kind === 'picture'));
}

/**
 * Lines stay as long as they fit, because Writer has no widow and orphan control in rows that may be split. Throws
 * UnknownFeature where the space below a paragraph decides, as for the last line of a cell and the first one of a
 * further paragraph: then the order of the cells matters too (`SwTextFrameBreak::IsInside`).
 */
function splitParts({ cell, stack }: CellLayout, free: number): Halves<readonly StackedPart[]> {
  const space = free - cell.marginTop - cell.marginBottom;
  const { parts } = stack;
  if (parts === undefined) throw new UnknownFeature('a table in a row across a page end');
  for (const [index, part] of parts.entries()) {
    const { layout, lines, top } = part;
    const count = linesThatFit(part, space - top);
    const isDecisive = count > 0 && (count === lines.length || (count === 1 && index > 0));
    if (isDecisive && top + heightOf(lines.slice(0, count)) + spaceAtEnd(layout) > space)
      throw new UnknownFeature('the space below a paragraph in a row across a page end');
    if (count === lines.length) continue;
    const [above, below] = [parts.slice(0, index), parts.slice(index + 1)];
    const rest = { ...part, lines: lines.slice(count) };
    const kept = count === 0 ? above : [...above, { ...part, lines: lines.slice(0, count) }];
    return { above: kept, below: movedUp(rest, below, heightOf(lines) - heightOf(rest.lines)) };
  }
  return { above: parts, below: [] };
}

function linesThatFit({ lines }: StackedPart, free: number): number {
  let fit = 0;
  while (fit < lines.length && heightOf(lines.slice(0, fit + 1)) <= free) fit++;
  return fit;
}

/**
 * Parts at the top of a cell. The first one has the space above its paragraph, even if that began on the previous page.
 */
function movedUp(first: StackedPart, others: readonly StackedPart[], gone: number): readonly StackedPart[] {
  const top = first.layout.paragraph.format.before;
  const move = first.top + gone - top;
  return [{ ...first, top }, ...others.map((part) => ({ ...part, top: part.top - move }))];
}

function withParts(layout: CellLayout, parts: readonly StackedPart[]): CellLayout {
  const { cell } = layout;
  const last = parts.at(-1);
  const height = last === undefined ? 0 : last.top + heightOf(last.lines);
  const isEnd = last !== undefined && last.lines.at(-1) === last.layout.lines.at(-1);
  const behind = isEnd ? spaceAtEnd(last.layout) : 0;
  const items = parts.flatMap(({ layout: paragraph, lines, top, elements }) =>
    paragraphItems(paragraph, lines, top, elements),
  );
  const stack: Stack = { items, height, last: last?.layout, parts };
  return { ...layout, stack, height: cell.marginTop + height + behind + cell.marginBottom };
}

function withCells(layout: RowLayout, cells: readonly CellLayout[]): RowLayout {
  return { ...layout, cells, height: layout.borderAbove + Math.max(...cells.map(({ height }) => height)) };
}
