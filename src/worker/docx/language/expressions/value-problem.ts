/** A value that a formula cannot use: the JSON path it came from, and a phrase that completes "the value …". */
export class ValueProblem extends Error {
  readonly path: string;
  readonly problem: string;

  constructor(path: string, problem: string) {
    super(problem);
    this.name = 'ValueProblem';
    this.path = path;
    this.problem = problem;
  }
}
