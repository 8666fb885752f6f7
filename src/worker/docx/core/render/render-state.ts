import type { Delimiters } from '../../../../shared/template-syntax.ts';
import type { Scope } from '../../language/scope.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import type { Hyperlinks } from '../styles/hyperlinks.ts';
import type { TemplateStyles } from '../styles/template-styles.ts';
import type { ValueNode } from '../value-node.ts';
import type { AssetLookup } from './assets.ts';
import type { DataFaults } from './data-faults.ts';
import type { MissingValues } from './data-warnings.ts';
import { type Memory, remembered } from './memory.ts';
import type { OmittedPictures } from './omitted-pictures.ts';
import type { Output } from './output.ts';
import type { PackageAdditions } from './package-additions.ts';
import type { Budget } from './render-budget.ts';
import type { MissingPolicy } from './render-options.ts';
import type { UnprintedPictures } from './unprinted-pictures.ts';

/** Writes an object value; returns false for one that it does not handle. */
export type ValueWriter = (value: object, node: ValueNode, scope: Scope, state: RenderState) => boolean;

/** State that all parts of one render share. */
export interface Render {
  readonly source: DocxPackage;
  /**
   * Writes the embedded part `part` with the data of `scope`, to be stored under `name`; undefined for a part without tags.
   * See `PartNodes.isEmbedded`.
   */
  readonly renderEmbedded: (part: string, name: string, scope: Scope) => Output | undefined;
  readonly delimiters: Delimiters;
  readonly budget: Budget;
  readonly faults: DataFaults;
  readonly missing: MissingValues;
  readonly unprinted: UnprintedPictures;
  readonly omitted: OmittedPictures;
  readonly onMissing: MissingPolicy;
  /** The additions of the render to the package. */
  readonly additions: PackageAdditions;
  readonly assets: AssetLookup;
  readonly hyperlinks: Hyperlinks;
  /** The styles of the template, read when they are first needed. */
  readonly styles: () => TemplateStyles;
  readonly valueWriters: readonly ValueWriter[];
  readonly memory: Memory<Render>;
}

/** State that the nodes of one part share while they are written. */
export interface RenderState extends Render {
  readonly render: Render;
  readonly output: Output;
  /** The part being written. */
  readonly partName: string;
}

/** Creates a value once per render, on first use. */
export function oncePerRender<T>(make: (render: Render) => T): (of: Pick<RenderState, 'render'>) => T {
  return ({ render }) => remembered(render, make);
}

/** Creates a value once per written part, on first use. */
export function oncePerPart<T>(make: (output: Output) => T): (state: Pick<RenderState, 'output'>) => T {
  return ({ output }) => remembered(output, make);
}
