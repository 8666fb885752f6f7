import type { CollapsedStretch } from '../../core/compile/collapse-static.ts';
import { endOf, isTag, type ParsedPiece } from '../../core/parsed-piece.ts';
import { isBlank } from './blank-row.ts';
import { isMergePiece } from './merge-nodes.ts';

/**
 * Drops the first and last row of a section if they contain only its tags, just as a paragraph with only a tag leaves no
 * blank line.
 */
export function dropMarkerRows(
  pieces: readonly ParsedPiece[],
  stretches: readonly CollapsedStretch[],
): readonly ParsedPiece[] {
  return pieces.map((piece) => {
    const { subparsed } = piece;
    if (subparsed === undefined) return piece;
    return { ...piece, subparsed: withoutMarkers(dropMarkerRows(subparsed, stretches), stretches) };
  });
}

function withoutMarkers(
  pieces: readonly ParsedPiece[],
  stretches: readonly CollapsedStretch[],
): readonly ParsedPiece[] {
  const merges = pieces.findIndex((piece) => !isMergePiece(piece));
  const section = merges > 0 ? pieces.slice(merges) : pieces;
  const rows = withoutMarkerRows(section, stretches);
  return rows === section ? pieces : [...pieces.slice(0, merges), ...rows];
}

function withoutMarkerRows(
  section: readonly ParsedPiece[],
  stretches: readonly CollapsedStretch[],
): readonly ParsedPiece[] {
  const [start, end] = [section[0], section.at(-1)];
  if (start === undefined || end === undefined) return section;
  let [from, to] = [0, section.length];
  const firstEnd = isTag(start, 'w:tr', 'start') ? endOf(section, 0, 'w:tr') : undefined;
  const lastStart = isTag(end, 'w:tr', 'end') ? section.findLastIndex((piece) => isTag(piece, 'w:tr', 'start')) : -1;
  const isOneRow = firstEnd === section.length - 1;
  if (isOneRow) return section;
  if (firstEnd !== undefined && isBlank(section.slice(0, firstEnd + 1), stretches)) from = firstEnd + 1;
  if (lastStart !== -1 && isBlank(section.slice(lastStart), stretches)) to = lastStart;
  return from < to && to - from < section.length ? section.slice(from, to) : section;
}
