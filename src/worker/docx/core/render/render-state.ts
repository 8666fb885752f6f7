import type { RichContent } from '../../features/html/rich-content.ts';
import type { PictureStore } from '../../features/images/picture-store.ts';
import type { Budget } from './budget.ts';
import type { DataFaults } from './data-faults.ts';
import type { MissingValues } from './missing-values.ts';
import type { Output } from './output.ts';
import type { PackageAdditions } from './package-additions.ts';
import type { MissingPolicy } from './render-options.ts';

/** What the nodes of one part share while they are written. */
export interface RenderState {
  readonly output: Output;
  readonly budget: Budget;
  readonly faults: DataFaults;
  readonly missing: MissingValues;
  readonly onMissing: MissingPolicy;
  /** The part that is written. */
  readonly partName: string;
  /** What the render adds to the package. */
  readonly additions: PackageAdditions;
  /** Writes HTML and links. */
  readonly rich: RichContent;
  readonly pictures: PictureStore;
}
