import type { ParsedPiece } from './parse-parts.ts';

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
