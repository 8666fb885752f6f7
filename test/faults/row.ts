import type { Backing } from './harness/backing.ts';
import type { Harness } from './harness/harness.ts';

/** One row of the fault matrix. `run` throws at an unexpected outcome; the invariants are checked afterwards. */
export interface Row {
  readonly id: string;
  readonly title: string;
  /** The expected outcome beyond the invariants. */
  readonly story: string;
  /** In the subset that `npm test` runs. */
  readonly isQuick?: boolean;
  /** Starts servers for this row alone, which are closed after it. Without it the row uses the shared ones. */
  startBacking?(shared: Backing): Promise<Backing>;
  run(h: Harness): Promise<void>;
}

/** A row of the matrix that no program here runs, and why. */
export interface NamedRow {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}
