import {
  accepts,
  type Child,
  type Container,
  childOfSignal,
  containerEnds,
  isContainer,
  isContainerEnd,
  isPageMark,
} from '../structure.ts';
import type { Output } from './output.ts';

interface Frame {
  readonly container: Container;
  readonly at: number;
  child: Child | undefined;
  /** Ranges of blank paragraphs inside. One is kept if the container has nothing else. */
  readonly blank: (readonly [from: number, to: number])[];
  /** Ends of inner cells without a paragraph. */
  readonly emptyCells: number[];
}

const emptyParagraph = '<w:p/>';

/**
 * Repairs what empty sections leave behind. Blank paragraphs, rows without cells, rows whose only cell is empty, and tables
 * without rows are removed. A cell, text box or header without a paragraph gets one, and so does a table that needs one
 * after it.
 */
export function repairStructure({ pieces, markAt, marks }: Output): void {
  const frames: Frame[] = [];
  const tableEnds: number[] = [];
  const signal = (child: Child, at: number) => {
    const frame = frames.at(-1);
    if (frame !== undefined && accepts(frame.container, child)) frame.child = child;
    if (child === 'table') tableEnds.push(at);
  };
  for (const [i, mark] of marks.entries()) {
    const at = markAt[i] ?? 0;
    if (isPageMark(mark)) continue;
    if (isContainer(mark)) {
      frames.push({ container: mark, at, child: undefined, blank: [], emptyCells: [] });
    } else if (isContainerEnd(mark)) {
      const frame = frames.at(-1);
      if (frame === undefined || containerEnds[frame.container] !== mark) continue;
      frames.pop();
      const child = closeContainer(frame, at, pieces, frames.at(-1));
      if (child !== undefined) signal(child, at);
    } else signal(childOfSignal(mark), at);
  }
  for (const at of tableEnds) if (pieces[at] !== '' && isLastInside(pieces, at + 1)) pieces[at] += emptyParagraph;
}

/** The kind of child that the closed container is for its parent; undefined if it was removed or is decided later. */
function closeContainer(frame: Frame, at: number, pieces: string[], around: Frame | undefined): Child | undefined {
  const { container, child } = frame;
  if (container === 'lone') return closeParagraph(frame, at, pieces, around);
  const kept = child === undefined && container !== 'row' && container !== 'table' ? frame.blank.pop() : undefined;
  for (const [from, to] of frame.blank) blankParagraph(pieces, from, to);
  const left = child ?? (kept === undefined ? undefined : 'paragraph');
  switch (container) {
    case 'control-part':
      return left;
    case 'story':
    case 'control':
      if (left === undefined) pieces[at] = emptyParagraph + pieces[at];
      return container === 'story' ? undefined : (left ?? 'paragraph');
    case 'cell':
      if (left === undefined) pieces[at] = emptyParagraph + pieces[at];
      if (child !== undefined || around?.container !== 'row') return 'cell';
      around.emptyCells.push(at);
      return undefined;
    default:
      if (child !== undefined || frame.emptyCells.length > 1) return container;
      pieces.fill('', frame.at, at + 1);
      return undefined;
  }
}

const shown =
  /<w:t(?:\s[^>]*)?>[^<]*[^<\s]|<w:(?:br|tab\/|sym|drawing|pict|object|cr|ptab|fldChar|fldSimple|instrText|hyperlink|ruby|sdt)\b|<m:|<mc:|Reference\b/;

function closeParagraph(frame: Frame, at: number, pieces: string[], around: Frame | undefined): Child | undefined {
  if (shown.test(pieces.slice(frame.at, at + 1).join(''))) return 'paragraph';
  if (around === undefined) blankParagraph(pieces, frame.at, at);
  else around.blank.push([frame.at, at]);
  return undefined;
}

const rangeMark = /<w:(?:bookmark|commentRange|perm|move(?:From|To)Range)(?:Start|End)\b[^>]*\/>/g;

function blankParagraph(pieces: string[], from: number, to: number): void {
  const marks =
    pieces
      .slice(from, to + 1)
      .join('')
      .match(rangeMark) ?? [];
  pieces.fill('', from, to + 1);
  pieces[from] = marks.join('');
}

const skipped = /(?:\s|<w:bookmarkEnd\b[^>]*>|<\/w:sdtContent>|<\/w:sdt>)+/y;
const needsParagraph = /<\/w:(?:tc|txbxContent|footnote|endnote|comment|body)>/y;

/** Whether the table is followed by the end of an element that must end with a paragraph. */
function isLastInside(pieces: readonly string[], from: number): boolean {
  for (let i = from; i < pieces.length; i++) {
    const piece = pieces[i] ?? '';
    skipped.lastIndex = 0;
    const start = skipped.test(piece) ? skipped.lastIndex : 0;
    if (start === piece.length) continue;
    needsParagraph.lastIndex = start;
    return needsParagraph.test(piece);
  }
  return false;
}
