/** HTML that cannot be written into the document: a phrase that completes "the value …". */
export class HtmlProblem extends Error {
  readonly problem: string;

  constructor(problem: string) {
    super(problem);
    this.name = 'HtmlProblem';
    this.problem = problem;
  }
}
