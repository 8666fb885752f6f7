import type { Harness } from './harness/harness.ts';

/** One row of the fault matrix. It throws when the outcome is not the promised one; the invariants are checked after it. */
export interface Row {
  readonly id: string;
  readonly title: string;
  /** What is done, and what must come of it beyond the invariants. */
  readonly story: string;
  /** Belongs to the subset that every `npm test` runs. */
  readonly isQuick?: boolean;
  run(h: Harness): Promise<void>;
}

/** A row of the matrix that no program here runs, and why. */
export interface NamedRow {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}
