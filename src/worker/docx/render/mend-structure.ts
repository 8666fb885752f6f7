import {
  accepts,
  type Child,
  type Container,
  childOfSignal,
  endOf,
  isContainer,
  isContainerEnd,
  isPageMark,
} from '../template/structure.ts';
import type { Output } from './output.ts';

interface Frame {
  readonly container: Container;
  readonly at: number;
  child: Child | undefined;
}

const emptyParagraph = '<w:p/>';

/**
 * Repairs what empty sections left: a cell, a text box or a header without paragraph gets one, a row without cells or a
 * table without rows goes, a paragraph follows a table where one must.
 */
export function mendStructure({ pieces, markAt, marks }: Output): void {
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
      frames.push({ container: mark, at, child: undefined });
    } else if (isContainerEnd(mark)) {
      const frame = frames.at(-1);
      if (frame === undefined || endOf[frame.container] !== mark) continue;
      frames.pop();
      const child = closeContainer(frame, at, pieces);
      if (child !== undefined) signal(child, at);
    } else signal(childOfSignal(mark), at);
  }
  for (const at of tableEnds) if (pieces[at] !== '' && isLastInside(pieces, at + 1)) pieces[at] += emptyParagraph;
}

/** What the closed container is to the one around it; undefined when nothing is left of it. */
function closeContainer(frame: Frame, at: number, pieces: string[]): Child | undefined {
  const { container, child } = frame;
  if (container === 'control-part') return child;
  if (container === 'story') {
    if (child === undefined) pieces[at] = emptyParagraph + pieces[at];
    return undefined;
  }
  if (container === 'control') {
    if (child === undefined) pieces[at] = emptyParagraph + pieces[at];
    return child ?? 'paragraph';
  }
  if (child === undefined && container === 'cell') pieces[at] = emptyParagraph + pieces[at];
  else if (child === undefined) {
    pieces.fill('', frame.at, at + 1);
    return undefined;
  }
  return container;
}

const skipped = /(?:\s|<w:bookmarkEnd\b[^>]*>|<\/w:sdtContent>|<\/w:sdt>)+/y;
const needsParagraph = /<\/w:(?:tc|txbxContent|footnote|endnote|comment|body)>/y;

/** Whether the next element after a table is the end of something that must end with a paragraph. */
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
