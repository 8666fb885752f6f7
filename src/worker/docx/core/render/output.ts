import type { Mark } from '../structure.ts';
import type { Memory } from './memory.ts';

/** The XML of one part being written: pieces in order, and the positions that may need repair. */
export class Output {
  readonly pieces: string[] = [];
  readonly markAt: number[] = [];
  readonly marks: Mark[] = [];
  readonly memory: Memory<Output> = new Map();

  mark(mark: Mark): void {
    this.markAt.push(this.pieces.length);
    this.marks.push(mark);
  }
}
