import type { ParsedPiece } from '../../core/compile/parse-parts.ts';

export function isColumnTag(piece: ParsedPiece): boolean {
  return piece.type === 'placeholder' && piece.module === undefined && piece.value.trimStart().startsWith('|');
}

/** Tells what is wrong with a column tag. */
export type NoteFault = (id: string, piece: ParsedPiece) => void;

export function* columnTags(pieces: readonly ParsedPiece[]): Generator<ParsedPiece> {
  for (const piece of pieces) {
    if (isColumnTag(piece)) yield piece;
    if (piece.subparsed !== undefined) yield* columnTags(piece.subparsed);
  }
}

/** `|months` and `|^secret`, without the bar. */
export function readColumnTag(value: string): { readonly tag: string; readonly isInverted: boolean } {
  const text = value.trim().slice(1).trim();
  return text.startsWith('^') ? { tag: text.slice(1).trim(), isInverted: true } : { tag: text, isInverted: false };
}

/** Whether a part may have column tags: a bar that follows a brace, whatever markup stands between them. */
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
