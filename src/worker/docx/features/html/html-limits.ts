/** What HTML in the data may cost; published in docs/reference/template-language.md. */
export const htmlLimits = {
  /** Characters of one value. */
  valueChars: 1_000_000,
  /** Characters of all values of one render. */
  renderChars: 5_000_000,
  /** Elements of one value. */
  elements: 50_000,
  /** Elements inside one another. */
  depth: 100,
  /** Tables inside one another. */
  tableDepth: 5,
  /** Columns of a table: what Word takes. */
  columns: 63,
  /** Cells of one value, those that merged cells cover included. */
  cells: 100_000,
} as const;

/** HTML that cannot be written into the document: a phrase that completes "the value …". */
export class HtmlProblem extends Error {
  readonly problem: string;

  constructor(problem: string) {
    super(problem);
    this.name = 'HtmlProblem';
    this.problem = problem;
  }
}
