import type { ParsedPiece } from './parse-parts.ts';
import { endOf, isTag } from './piece-tags.ts';

/** The pieces with what stands between the tags of each table arranged anew, inner tables before the one around them. */
export function eachTable(
  pieces: readonly ParsedPiece[],
  arrange: (table: readonly ParsedPiece[]) => readonly ParsedPiece[],
): readonly ParsedPiece[] {
  const arranged: ParsedPiece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece === undefined) continue;
    const end = isTag(piece, 'w:tbl', 'start') ? endOf(pieces, i, 'w:tbl') : undefined;
    if (end === undefined) {
      const { subparsed } = piece;
      arranged.push(subparsed === undefined ? piece : { ...piece, subparsed: eachTable(subparsed, arrange) });
      continue;
    }
    arranged.push(piece);
    for (const inner of arrange(eachTable(pieces.slice(i + 1, end), arrange))) arranged.push(inner);
    i = end - 1;
  }
  return arranged;
}
