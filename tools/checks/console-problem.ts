/** Something that a file of the console must not contain. */
export interface ConsoleProblem {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}
