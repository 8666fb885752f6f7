import type { ParsedPiece, ParseFault } from '../../core/compile/parse-parts.ts';
import { centreParagraph } from './centre-paragraph.ts';
import { isPictureTag } from './picture-node.ts';
import { placeholderNumber } from './placeholder-number.ts';

export interface PlacedPictures {
  readonly pieces: readonly ParsedPiece[];
  readonly faults: readonly ParseFault[];
}

interface PlaceState {
  isInRun: boolean;
  isInText: boolean;
  readonly misplaced: ParsedPiece[];
  /** Pictures that want a paragraph of their own and were not found alone in one. */
  readonly waiting: Set<ParsedPiece>;
}

/** Centres the paragraphs of `{%%picture}`; tells of pictures where none can stand. */
export function placePictures(part: string, pieces: readonly ParsedPiece[]): PlacedPictures {
  const state: PlaceState = { isInRun: false, isInText: false, misplaced: [], waiting: new Set() };
  const placed = place(pieces, state);
  const toFault = (id: string) => (piece: ParsedPiece) => ({ id, part, offset: piece.offset, tag: piece.value });
  const faults = [
    ...state.misplaced.map(toFault('picture_place')),
    ...Array.from(state.waiting, toFault('picture_not_alone')),
  ];
  return { pieces: placed, faults };
}

function place(pieces: readonly ParsedPiece[], state: PlaceState): ParsedPiece[] {
  const placed: ParsedPiece[] = [];
  const open: number[] = [];
  for (const piece of pieces) {
    const { type, tag, position, subparsed, text } = piece;
    const isTag = type === 'tag';
    if (isTag && tag === 'w:p' && position === 'start') open.push(placed.length);
    if (isTag && tag === 'w:r') state.isInRun = position === 'start';
    if (isTag && text === true) state.isInText = position === 'start' && tag === 'w:t';
    placed.push(subparsed === undefined ? piece : { ...piece, subparsed: place(subparsed, state) });
    if (isPicture(piece)) {
      if (!(state.isInRun && state.isInText)) state.misplaced.push(piece);
      else if (isCentred(piece)) state.waiting.add(piece);
    }
    if (!isTag || tag !== 'w:p' || position !== 'end') continue;
    const start = open.pop();
    if (start === undefined) continue;
    const centred = centre(placed.slice(start), state.waiting);
    if (centred !== undefined) placed.splice(start, placed.length - start, ...centred);
  }
  return placed;
}

function isPicture({ type, value, subparsed }: ParsedPiece): boolean {
  return type === 'placeholder' && subparsed === undefined && isPictureTag(value);
}

function isCentred({ value }: ParsedPiece): boolean {
  return /^\s*%\s*%/.test(value) && placeholderNumber(value) === undefined;
}

/** The paragraph centred, when it holds pictures that ask for it and no text. */
function centre(paragraph: readonly ParsedPiece[], waiting: Set<ParsedPiece>): ParsedPiece[] | undefined {
  const centred = centredIn(paragraph).filter((piece) => waiting.has(piece));
  if (centred.length === 0 || hasText(paragraph)) return undefined;
  const first = paragraph.findIndex(({ tag, type }, i) => i > 0 && (tag === 'w:r' || type === 'placeholder'));
  const head = paragraph.slice(1, first);
  if (head.some(({ tag }) => tag === 'w:sectPr')) return undefined;
  for (const piece of centred) waiting.delete(piece);
  const value = centreParagraph(head.map((piece) => piece.value).join(''));
  return [...paragraph.slice(0, 1), { type: 'content', value }, ...paragraph.slice(first)];
}

function centredIn(pieces: readonly ParsedPiece[]): ParsedPiece[] {
  return pieces.flatMap((piece) => {
    if (piece.subparsed !== undefined) return centredIn(piece.subparsed);
    return isPicture(piece) && isCentred(piece) ? [piece] : [];
  });
}

function hasText(pieces: readonly ParsedPiece[]): boolean {
  let isInText = false;
  return pieces.some((piece) => {
    const { type, text, position, subparsed, value } = piece;
    if (subparsed !== undefined) return hasText(subparsed);
    if (text === true) isInText = position === 'start';
    if (type === 'placeholder') return !isPicture(piece);
    return type === 'content' && isInText && value.trim() !== '';
  });
}
