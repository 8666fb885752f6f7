/** Where HTML took the place of a paragraph, in the pieces of a part. */
export interface WrittenHtml {
  /** The first of its pieces, and the first after them; it has at least one. */
  readonly start: number;
  readonly end: number;
  readonly isEmpty: boolean;
  readonly startsWithTable: boolean;
  readonly endsWithTable: boolean;
  /** The paragraph it rewritten, without text. */
  readonly emptyParagraph: string;
}

const longestTag = 400;

/**
 * HTML that prints nothing leaves no paragraph, unless its surroundings must have one; a table in it never touches another
 * one, which readers would join, and never ends a cell or a note (ECMA-376 part 1, 17.4.65).
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
    const piece = pieces[i]?.slice(-longestTag) ?? '';
    if (piece.trim() !== '') return piece;
  }
  return '';
}

function textAfter(pieces: readonly string[], end: number): string {
  for (let i = end; i < pieces.length; i++) {
    const piece = pieces[i]?.slice(0, longestTag) ?? '';
    if (piece.trim() !== '') return piece;
  }
  return '';
}
