/** Limits of HTML in the data; published in docs/reference/template-language.md. */
export const htmlLimits = {
  /** Characters of one value. */
  valueChars: 1_000_000,
  /** Characters of all values of one render. */
  renderChars: 5_000_000,
  /** Elements of one value. */
  elements: 50_000,
  /** Nesting depth of elements. */
  depth: 100,
  /** Nesting depth of tables. */
  tableDepth: 5,
  /** Columns of a table: Word's maximum. */
  columns: 63,
  /** Cells of one value, including those covered by merged cells. */
  cells: 100_000,
} as const;

/** HTML that cannot be written into the document. `problem` completes "the value …". */
export class HtmlProblem extends Error {
  readonly problem: string;

  constructor(problem: string) {
    super(problem);
    this.name = 'HtmlProblem';
    this.problem = problem;
  }
}
