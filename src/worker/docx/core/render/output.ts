import type { Mark } from '../structure.ts';

/** The XML of one part while it is written: pieces in order, and the positions that may need repair. */
export class Output {
  readonly pieces: string[] = [];
  readonly markAt: number[] = [];
  readonly marks: Mark[] = [];

  mark(mark: Mark): void {
    this.markAt.push(this.pieces.length);
    this.marks.push(mark);
  }
}
