import { type CollapsedStretch, expandStretches } from '../../core/compile/collapse-static.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import { isMergePiece } from './merge-nodes.ts';

const shown =
  /<w:t(?:\s[^>]*)?>[^<]*[^<\s]|<w:(?:br|tab\/|sym|drawing|pict|object|cr|ptab|fldChar|fldSimple|instrText|hyperlink|ruby|sdt|vMerge|tbl)\b|<w:(?:bookmark|commentRange|perm)(?:Start|End)\b|<m:|<mc:|Reference\b/;

/** Whether a row or a cell, without the tags of sections around it, shows nothing. */
export function isBlank(row: readonly ParsedPiece[], stretches: readonly CollapsedStretch[]): boolean {
  if (row.some((piece) => piece.type === 'placeholder' && !isMergePiece(piece))) return false;
  const written = expandStretches(row.map(({ value }) => value).join(''), stretches);
  return !shown.test(written.map((piece) => (typeof piece === 'string' ? piece : piece.xml)).join(''));
}
