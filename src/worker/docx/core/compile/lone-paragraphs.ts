import { isTag, type ParsedPiece } from '../parsed-piece.ts';

/**
 * The start and end tags of paragraphs that contain only sections. Such a paragraph is removed when its sections print
 * nothing, so that a condition leaves no blank line.
 */
export function loneParagraphs(pieces: readonly ParsedPiece[]): ReadonlySet<ParsedPiece> {
  const found = new Set<ParsedPiece>();
  collect(pieces, found);
  return found;
}

function collect(pieces: readonly ParsedPiece[], found: Set<ParsedPiece>): void {
  let start = -1;
  for (const [i, piece] of pieces.entries()) {
    if (piece.subparsed !== undefined) collect(piece.subparsed, found);
    if (isTag(piece, 'w:p', 'start')) start = i;
    if (!isTag(piece, 'w:p', 'end') || start === -1) continue;
    const first = pieces[start];
    if (first !== undefined && holdsOnlySections(pieces.slice(start + 1, i))) found.add(first).add(piece);
    start = -1;
  }
}

const formatting = new Set([
  'w:r',
  'w:rPr',
  'w:pPr',
  'w:t',
  'w:proofState',
  'w:spacing',
  'w:bookmarkStart',
  'w:bookmarkEnd',
]);
const shows =
  /<w:(?:sectPr|br|tab\/|sym|drawing|pict|object|cr|ptab|fldChar|fldSimple|instrText|hyperlink|ruby|sdt)\b|<m:|<mc:|Reference\b/;

function holdsOnlySections(pieces: readonly ParsedPiece[]): boolean {
  let sections = 0;
  let isText = false;
  for (const piece of pieces) {
    if (piece.type === 'placeholder') {
      if (piece.module !== 'loop' || piece.source !== undefined || piece.subparsed?.some(isBlock)) return false;
      sections++;
    } else if (piece.type === 'tag') {
      if (!formatting.has(piece.tag ?? '')) return false;
      if (piece.text === true) isText = piece.position === 'start';
    } else if (isText ? piece.value.trim() !== '' : shows.test(piece.value)) return false;
  }
  return sections > 0;
}

function isBlock(piece: ParsedPiece): boolean {
  return isTag(piece, 'w:p', 'start') || (piece.subparsed?.some(isBlock) ?? false);
}
