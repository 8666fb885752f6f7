import { endOf, isTag, type ParsedPiece } from '../../core/parsed-piece.ts';

function isColumnTag(piece: ParsedPiece): boolean {
  return piece.type === 'placeholder' && piece.module === undefined && piece.value.trimStart().startsWith('|');
}

/** Why a column tag is misplaced. */
export type ColumnFault = 'outside_table' | 'twice' | 'crossed' | 'split_table' | 'too_many';
export type ReportColumn = (fault: ColumnFault, tag: ParsedPiece) => void;

export function* columnTags(pieces: readonly ParsedPiece[]): Generator<ParsedPiece> {
  for (const piece of pieces) {
    if (isColumnTag(piece)) yield piece;
    if (piece.subparsed !== undefined) yield* columnTags(piece.subparsed);
  }
}

/** Parses `|months` or `|^secret`. */
export function readColumnTag(value: string): { readonly tag: string; readonly isInverted: boolean } {
  const text = value.trim().slice(1).trim();
  return text.startsWith('^') ? { tag: text.slice(1).trim(), isInverted: true } : { tag: text, isInverted: false };
}

/** Whether a part may have column tags: a bar after a brace, with only markup between them. */
export function mayHaveColumns(xml: string): boolean {
  for (let at = xml.indexOf('|'); at !== -1; at = xml.indexOf('|', at + 1)) {
    let before = at - 1;
    while (before >= 0) {
      const char = xml[before];
      if (char === '{') return true;
      if (char === '>') before = xml.lastIndexOf('<', before) - 1;
      else if (char === ' ' || char === '\n') before--;
      else break;
    }
  }
  return false;
}

/** The pieces without column tags. A paragraph with nothing else is removed if the cell has another one. */
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
