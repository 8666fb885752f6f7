import type { ArrangedPart } from '../../core/feature.ts';
import { eachElement, isTag, type ParsedPiece } from '../../core/parsed-piece.ts';
import { asOperand, type FormatTag, formatPrefix, isFormatTag, readFormatTag } from './format-tag.ts';

const cellHint = 'put it into a cell of the table';
const textHint = 'put it into the text of a paragraph';

/** Reports formatting tags in places that they cannot format, and puts an inverted section around each row with `hide`. */
export function arrangeFormats(pieces: readonly ParsedPiece[], { report }: ArrangedPart): readonly ParsedPiece[] {
  checkPlaces(pieces, { cells: 0, isInRun: false }, (piece, problem, hint) =>
    report({ subject: 'formatting tag', problem, hint, piece }),
  );
  return hideRows(pieces);
}

/** The formatting tag of a piece; undefined for any other piece, and for a tag with a mistake. */
function readFormat(piece: ParsedPiece): FormatTag | undefined {
  const text = piece.value.trimStart();
  if (piece.type !== 'placeholder' || piece.module !== undefined || !text.startsWith(formatPrefix)) return undefined;
  const reading = readFormatTag(text.slice(formatPrefix.length));
  return isFormatTag(reading) ? reading : undefined;
}

interface Place {
  /** The number of enclosing cells. */
  cells: number;
  isInRun: boolean;
}

function checkPlaces(
  pieces: readonly ParsedPiece[],
  place: Place,
  report: (piece: ParsedPiece, problem: string, hint: string) => void,
): void {
  let rows = 0;
  for (const piece of pieces) {
    if (piece.subparsed !== undefined) checkPlaces(piece.subparsed, place, report);
    else if (piece.tag === 'w:tc') place.cells += piece.position === 'start' ? 1 : -1;
    else if (piece.tag === 'w:tr') rows += piece.position === 'start' ? 1 : -1;
    else if (piece.text === true) place.isInRun = piece.tag === 'w:t' && piece.position === 'start';
    const tag = readFormat(piece);
    if (tag === undefined) continue;
    if (!place.isInRun) report(piece, 'is in a place that has no formatting', textHint);
    else if (tag.target !== 'text' && place.cells <= 0) report(piece, 'is outside the cells of a table', cellHint);
    else if (tag.properties.has('hide') && rows === 0)
      report(piece, 'is inside a section of the row that it hides', 'put it outside of the section');
  }
}

function hideRows(pieces: readonly ParsedPiece[]): readonly ParsedPiece[] {
  return eachElement(pieces, 'w:tr', (start, content, end) => {
    const row = [start, ...content, end];
    return [...hiddenBy(content)].reduce((subparsed, value) => [hideSection(value, subparsed)], row);
  });
}

function hideSection(value: string, subparsed: ParsedPiece[]): ParsedPiece {
  return { type: 'placeholder', module: 'loop', value, inverted: true, subparsed };
}

/** The conditions under which a row is hidden, but not those of the rows of a table inside it. */
function* hiddenBy(pieces: readonly ParsedPiece[]): Generator<string> {
  let tables = 0;
  for (const piece of pieces) {
    if (isTag(piece, 'w:tbl', 'start')) tables++;
    if (isTag(piece, 'w:tbl', 'end')) tables--;
    if (tables > 0) continue;
    const condition = readFormat(piece)?.properties.get('hide');
    if (condition !== undefined) yield asOperand(condition);
  }
}
