import { RichContent } from '../../features/html/rich-content.ts';
import { settleHtml } from '../../features/html/settle-html.ts';
import { PictureStore } from '../../features/images/picture-store.ts';
import { RenderContext } from '../../language/render-context.ts';
import { Scope } from '../../language/scope.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import type { Warning } from '../../sanitize/warnings.ts';
import type { PartNodes } from '../nodes.ts';
import { AssetLookup, type Assets } from './assets.ts';
import { Budget } from './budget.ts';
import { DataFaults } from './data-faults.ts';
import { finishParts } from './finish-parts.ts';
import { MissingValues } from './missing-values.ts';
import { Output } from './output.ts';
import { PackageAdditions } from './package-additions.ts';
import { renderNodes } from './render-nodes.ts';
import type { ResolvedOptions } from './render-options.ts';

export interface FilledParts {
  /** Filled, changed and added parts. */
  readonly parts: ReadonlyMap<string, Buffer>;
  /** What the data lacked. */
  readonly warnings: readonly Warning[];
}

/**
 * The filled parts by name. Throws `data_invalid` with the JSON path of every value that does not fit, and `render_limit`
 * when the document grows beyond its limits.
 */
export function renderParts(
  { source, parts }: { readonly source: DocxPackage; readonly parts: readonly PartNodes[] },
  data: unknown,
  options: ResolvedOptions,
  given?: Assets,
): FilledParts {
  const budget = new Budget();
  const faults = new DataFaults();
  const missing = new MissingValues();
  const additions = new PackageAdditions(source);
  const rich = new RichContent(source, additions);
  const assets = new AssetLookup(given);
  const pictures = new PictureStore(assets);
  const scope = Scope.root(data, new RenderContext(options, (count) => budget.listItems(count)));
  const { onMissing } = options;
  const filled = parts.map((part) => {
    const output = new Output();
    const place = { index: 0, count: 1, isFirstOfAll: true };
    const partName = part.name;
    const shared = { budget, faults, missing, onMissing, additions, rich, pictures };
    renderNodes(part.nodes, scope, place, { output, partName, ...shared });
    settleHtml(output.pieces, output.html);
    for (const id of part.addressIds) additions.dropRelationship(partName, id);
    return { part, output };
  });
  faults.throwIfAny();
  assets.throwIfNeeded();
  return {
    parts: new Map([...finishParts(filled, source, budget), ...rich.changedParts(), ...additions.changes()]),
    warnings: missing.warnings(),
  };
}
