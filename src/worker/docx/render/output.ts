import type { HtmlPlace } from '../html/settle-html.ts';
import type { Mark } from '../template/structure.ts';

/** The XML of one part while it is written: pieces in order, and the places that may need mending. */
export class Output {
  readonly pieces: string[] = [];
  readonly markAt: number[] = [];
  readonly marks: Mark[] = [];
  readonly html: HtmlPlace[] = [];

  mark(mark: Mark): void {
    this.markAt.push(this.pieces.length);
    this.marks.push(mark);
  }
}
