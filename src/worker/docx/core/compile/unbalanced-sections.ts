import type { ParsedPiece, ParseFault } from './parse-parts.ts';

/**
 * Sections that cannot be dropped or repeated without breaking the part: from one table into the next they may close and
 * open the same elements, but what they close and what they open must mirror each other.
 */
export function unbalancedSections(parts: ReadonlyMap<string, readonly ParsedPiece[]>): ParseFault[] {
  return [...parts].flatMap(([part, pieces]) =>
    sectionsOf(pieces)
      .filter((section) => !isMirrored(section.subparsed ?? []))
      .map((section) => ({ id: 'loop_position_invalid', part, offset: section.offset, tag: section.value })),
  );
}

function sectionsOf(pieces: readonly ParsedPiece[]): ParsedPiece[] {
  return pieces.flatMap((piece) => {
    if (piece.subparsed === undefined) return [];
    const inner = sectionsOf(piece.subparsed);
    return piece.module === 'loop' ? [piece, ...inner] : inner;
  });
}

function isMirrored(pieces: readonly ParsedPiece[]): boolean {
  const closed: (string | undefined)[] = [];
  const opened: (string | undefined)[] = [];
  for (const { tag, position } of tagsOf(pieces)) {
    if (position === 'start') opened.push(tag);
    else if (opened.length === 0) closed.push(tag);
    else if (opened.pop() !== tag) return false;
  }
  return closed.length === opened.length && closed.every((tag, i) => tag === opened.at(-1 - i));
}

function* tagsOf(pieces: readonly ParsedPiece[]): Generator<ParsedPiece> {
  for (const piece of pieces) {
    if (piece.type === 'tag' && piece.position !== 'selfclosing') yield piece;
    if (piece.subparsed !== undefined) yield* tagsOf(piece.subparsed);
  }
}
