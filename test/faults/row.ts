import type { Backing } from './harness/backing.ts';
import type { Harness } from './harness/harness.ts';

/** One row of the fault matrix. `run` throws at an unexpected outcome; the invariants are checked afterwards. */
export interface Row {
  readonly id: string;
  readonly title: string;
  /** The expected outcome beyond the invariants. */
  readonly story: string;
  /** In `npm test` or in `npm run test:extended`; `npm run test:faults` runs every row. */
  readonly set?: 'usual' | 'extended';
  /** Starts servers for this row alone, which are closed after it. Without it the row uses the shared ones. */
  startBacking?(shared: Backing): Promise<Backing>;
  run(h: Harness): Promise<void>;
}
