/** A place where HTML replaced a paragraph, in the pieces of a part. */
export interface WrittenHtml {
  /** Index of its first piece, and of the first piece after it; it has at least one. */
  readonly start: number;
  readonly end: number;
  readonly isEmpty: boolean;
  readonly startsWithTable: boolean;
  readonly endsWithTable: boolean;
  /** The replaced paragraph, without text. */
  readonly emptyParagraph: string;
}

const maxTagLength = 400;

/**
 * Adds the paragraphs that written HTML needs around it: one if it is empty and its container requires one, one between
 * adjacent tables, which readers would join, and one after a final table (ECMA-376 part 1, 17.4.65).
 */
export function separateHtml(pieces: string[], written: readonly WrittenHtml[]): void {
  for (const { start, end, isEmpty, startsWithTable, endsWithTable, emptyParagraph } of written) {
    const before = textBefore(pieces, start);
    const after = textAfter(pieces, end);
    const isBeforeParagraph = /^\s*<w:p[\s>/]/.test(after);
    if (isEmpty) {
      const isAfterParagraph = /(?:<\/w:p>|<w:p(?:\s[^<>]*)?\/>)\s*$/.test(before);
      if (!isAfterParagraph && !isBeforeParagraph) pieces[start] = emptyParagraph;
      continue;
    }
    if (endsWithTable && !isBeforeParagraph) pieces[end - 1] += emptyParagraph;
    if (startsWithTable && /<\/w:tbl>\s*$/.test(before)) pieces[start] = emptyParagraph + pieces[start];
  }
}

function textBefore(pieces: readonly string[], start: number): string {
  for (let i = start - 1; i >= 0; i--) {
    const piece = pieces[i]?.slice(-maxTagLength) ?? '';
    if (piece.trim() !== '') return piece;
  }
  return '';
}

function textAfter(pieces: readonly string[], end: number): string {
  for (let i = end; i < pieces.length; i++) {
    const piece = pieces[i]?.slice(0, maxTagLength) ?? '';
    if (piece.trim() !== '') return piece;
  }
  return '';
}
