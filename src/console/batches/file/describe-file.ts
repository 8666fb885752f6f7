import { batchTexts } from '../../texts/batches.ts';
import { describeError } from '../../ui/describe-error.ts';
import { FileError } from './file-error.ts';
import type { InspectedFile, RowProblem } from './inspect-file.ts';

/** The message shown when a file cannot be read or sent. */
export function describeFailure(error: unknown): Error {
  if (error instanceof FileError) return new Error(batchTexts.fileProblem(error.problem, error.place));
  return error instanceof Error ? error : new Error(describeError(error).message);
}

export function describeProblem({ row, line, kind, found = 0 }: RowProblem, { columns }: InspectedFile): string {
  return batchTexts.rowProblem[kind](row, line, found, columns.length);
}
