import type { Node, SectionSource, SectionWriter } from './nodes.ts';

/** One piece of a parsed part, as docxtemplater 3.71 emits it after `postparse`. */
export interface ParsedPiece {
  readonly type: 'tag' | 'content' | 'placeholder';
  readonly value: string;
  readonly tag?: string;
  readonly position?: 'start' | 'end' | 'selfclosing';
  /** Set on elements that hold text (`w:t`). */
  readonly text?: boolean;
  readonly module?: string;
  readonly inverted?: boolean;
  /** Placeholders only: number of text characters before it. */
  readonly offset?: number;
  readonly subparsed?: readonly ParsedPiece[];
  readonly hasPageBreak?: boolean;
  readonly hasPageBreakBeginning?: boolean;
  readonly paragraphLoop?: boolean;
  readonly sectPrCount?: number;
  readonly addContinuousType?: boolean;
  readonly lastParagrapSectPr?: string;
  /** Added to placeholders whose node a feature has built. */
  readonly node?: Node;
  /** Added to sections whose value a feature has looked up. */
  readonly source?: SectionSource;
  /** Added to sections that a feature writes itself. */
  readonly writer?: SectionWriter;
}

export function isTag(piece: ParsedPiece, tag: string, position: 'start' | 'end'): boolean {
  return piece.type === 'tag' && piece.tag === tag && piece.position === position;
}

/** The end tag that closes the element which starts at `from`, in the same list. */
export function endOf(pieces: readonly ParsedPiece[], from: number, tag: string): number | undefined {
  let depth = 0;
  for (let i = from; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece === undefined) continue;
    if (isTag(piece, tag, 'start')) depth++;
    else if (isTag(piece, tag, 'end') && --depth === 0) return i;
  }
  return undefined;
}

/**
 * Replaces each complete element by what `arrange` makes of its pieces: the start tag, the content, in which inner elements
 * are replaced already, and the end tag.
 */
export function eachElement(
  pieces: readonly ParsedPiece[],
  tag: string,
  arrange: (start: ParsedPiece, content: readonly ParsedPiece[], end: ParsedPiece) => readonly ParsedPiece[],
): readonly ParsedPiece[] {
  const arranged: ParsedPiece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece === undefined) continue;
    const to = isTag(piece, tag, 'start') ? endOf(pieces, i, tag) : undefined;
    const end = to === undefined ? undefined : pieces[to];
    if (to === undefined || end === undefined) {
      const { subparsed } = piece;
      arranged.push(subparsed === undefined ? piece : { ...piece, subparsed: eachElement(subparsed, tag, arrange) });
      continue;
    }
    const content = eachElement(pieces.slice(i + 1, to), tag, arrange);
    for (const one of arrange(piece, content, end)) arranged.push(one);
    i = to;
  }
  return arranged;
}
