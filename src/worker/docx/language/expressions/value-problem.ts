/** A value that an expression cannot use. `path` is its JSON path; `problem` completes "the value …". */
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

/** The type of a value as a phrase: "is text". */
export function describeType(value: unknown): string {
  if (value === undefined || value === null) return 'is missing';
  if (Array.isArray(value)) return 'is a list';
  if (typeof value === 'object') return 'is an object';
  if (typeof value === 'boolean') return 'is true or false';
  return typeof value === 'number' ? 'is a number' : 'is text';
}
