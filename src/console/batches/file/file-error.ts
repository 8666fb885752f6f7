/** Why a file cannot be read; `texts/batches.ts` has the message for each. */
export type FileProblem =
  | 'empty'
  | 'tooLarge'
  | 'tooManyRows'
  | 'tooManyColumns'
  | 'rowTooLong'
  | 'unclosedQuote'
  | 'textAfterQuote'
  | 'notJson'
  | 'notAList'
  | 'endsEarly'
  | 'noHeader'
  | 'unreadable';

export class FileError extends Error {
  override readonly name = 'FileError';
  readonly problem: FileProblem;
  /** Counted from 1: the line of a CSV or NDJSON file, or the element of a JSON list. */
  readonly place: number | undefined;

  constructor(problem: FileProblem, place?: number) {
    super(place === undefined ? problem : `${problem} at ${place}`);
    this.problem = problem;
    this.place = place;
  }
}

/** The bytes of a file are not valid in its encoding. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}
