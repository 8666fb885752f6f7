import type { ArrangedPart } from '../../core/feature.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import { hiddenNumber } from '../../language/hidden-number.ts';
import { isPictureTag } from './image-tag.ts';

interface PlaceState {
  isInRun: boolean;
  isInText: boolean;
  readonly misplaced: ParsedPiece[];
  /** Pictures that need a paragraph of their own and have not been found in one yet. */
  readonly waiting: Set<ParsedPiece>;
}

const faults = {
  place: {
    problem: 'is in a place where no picture can be shown',
    hint: 'put it into the text of the document, not into its properties, formulas or diagrams',
  },
  notAlone: {
    problem: 'is not alone in its paragraph',
    hint: 'put it into a paragraph of its own, or write one %',
  },
} as const;

/** Centres the paragraphs of `{%%picture}` and reports misplaced pictures. */
export function arrangeImages(pieces: readonly ParsedPiece[], { report }: ArrangedPart): readonly ParsedPiece[] {
  const state: PlaceState = { isInRun: false, isInText: false, misplaced: [], waiting: new Set() };
  const placed = place(pieces, state);
  for (const piece of state.misplaced) report({ subject: 'picture', ...faults.place, piece });
  for (const piece of state.waiting) report({ subject: 'picture', ...faults.notAlone, piece });
  return placed;
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
      else if (isCentered(piece)) state.waiting.add(piece);
    }
    if (!isTag || tag !== 'w:p' || position !== 'end') continue;
    const start = open.pop();
    if (start === undefined) continue;
    const centered = center(placed.slice(start), state.waiting);
    if (centered !== undefined) placed.splice(start, placed.length - start, ...centered);
  }
  return placed;
}

function isPicture({ type, value, subparsed }: ParsedPiece): boolean {
  return type === 'placeholder' && subparsed === undefined && isPictureTag(value);
}

function isCentered({ value }: ParsedPiece): boolean {
  return /^\s*%\s*%/.test(value) && hiddenNumber(value) === undefined;
}

/** Centres the paragraph if it has centred pictures and no text. */
function center(paragraph: readonly ParsedPiece[], waiting: Set<ParsedPiece>): ParsedPiece[] | undefined {
  const centered = centeredIn(paragraph).filter((piece) => waiting.has(piece));
  if (centered.length === 0 || hasText(paragraph)) return undefined;
  const first = paragraph.findIndex(({ tag, type }, i) => i > 0 && (tag === 'w:r' || type === 'placeholder'));
  const head = paragraph.slice(1, first);
  if (head.some(({ tag }) => tag === 'w:sectPr')) return undefined;
  for (const piece of centered) waiting.delete(piece);
  const value = centerParagraph(head.map((piece) => piece.value).join(''));
  return [...paragraph.slice(0, 1), { type: 'content', value }, ...paragraph.slice(first)];
}

function centeredIn(pieces: readonly ParsedPiece[]): ParsedPiece[] {
  return pieces.flatMap((piece) => {
    if (piece.subparsed !== undefined) return centeredIn(piece.subparsed);
    return isPicture(piece) && isCentered(piece) ? [piece] : [];
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

const centering = '<w:jc w:val="center"/>';
/** Elements that follow `w:jc` in `w:pPr` (ECMA-376 part 1, 17.3.1.26). */
const later =
  /<w:(?:textDirection|textAlignment|textboxTightWrap|outlineLvl|divId|cnfStyle|rPr|sectPr|pPrChange)\b|<\/w:pPr>/;

/** Adds centring to the XML between `<w:p>` and the first run. */
function centerParagraph(head: string): string {
  if (/<w:pPr\s*\/>/.test(head)) return head.replace(/<w:pPr\s*\/>/, `<w:pPr>${centering}</w:pPr>`);
  const start = head.search(/<w:pPr[\s>]/);
  if (start === -1) return `<w:pPr>${centering}</w:pPr>${head}`;
  const at = start + head.slice(start).search(later);
  const before = head.slice(0, at).replace(/<w:jc\b[^>]*\/>/, '');
  return `${before}${centering}${head.slice(at)}`;
}
