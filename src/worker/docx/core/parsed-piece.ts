import type { Node, SectionSource } from './nodes.ts';

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
  readonly addNextPage?: { readonly index: number };
  readonly lastParagrapSectPr?: string;
  /** Added to placeholders whose node a feature has built. */
  readonly node?: Node;
  /** Added to sections whose value a feature has looked up. */
  readonly source?: SectionSource;
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
