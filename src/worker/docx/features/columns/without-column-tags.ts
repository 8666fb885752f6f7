import type { ParsedPiece } from '../../core/compile/parse-parts.ts';
import { endOf, isTag } from '../../core/compile/piece-tags.ts';
import { isColumnTag } from './column-tags.ts';

/** The pieces without column tags; a paragraph that held nothing else goes where the cell has another one. */
export function withoutColumnTags(pieces: readonly ParsedPiece[]): ParsedPiece[] {
  const paragraphs = pieces.filter((piece) => isTag(piece, 'w:p', 'start')).length;
  const kept: ParsedPiece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece === undefined || isColumnTag(piece)) continue;
    const end = paragraphs > 1 && isTag(piece, 'w:p', 'start') ? endOf(pieces, i, 'w:p') : undefined;
    if (end !== undefined && holdsOnlyTag(pieces.slice(i + 1, end))) {
      i = end;
      continue;
    }
    const { subparsed } = piece;
    kept.push(subparsed === undefined ? piece : { ...piece, subparsed: withoutColumnTags(subparsed) });
  }
  return kept;
}

const formatting = new Set(['w:r', 'w:rPr', 'w:pPr', 'w:t', 'w:spacing', 'w:proofState']);

function holdsOnlyTag(pieces: readonly ParsedPiece[]): boolean {
  let tags = 0;
  let isText = false;
  for (const piece of pieces) {
    if (isColumnTag(piece)) tags++;
    else if (piece.type === 'placeholder') return false;
    else if (piece.type === 'tag') {
      if (!formatting.has(piece.tag ?? '')) return false;
      if (piece.text === true) isText = piece.position === 'start';
    } else if (isText ? piece.value.trim() !== '' : /<w:(?!rPr|pPr|[a-z]\w*\b[^>]*\/>)/.test(piece.value)) return false;
  }
  return tags > 0;
}
