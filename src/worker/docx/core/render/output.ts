import type { Mark } from '../structure.ts';

/** The XML of one part being written: pieces in order, and the positions that may need repair. */
export class Output {
  readonly pieces: string[] = [];
  readonly markAt: number[] = [];
  readonly marks: Mark[] = [];

  mark(mark: Mark): void {
    this.markAt.push(this.pieces.length);
    this.marks.push(mark);
  }
}
