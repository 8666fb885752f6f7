/** A problem in one of the console's files. */
export interface ConsoleProblem {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}
