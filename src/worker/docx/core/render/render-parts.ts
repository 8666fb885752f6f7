import type { Delimiters } from '../../../../shared/template-syntax.ts';
import { type Dictionary, wordsFor } from '../../language/dictionary.ts';
import { RenderContext } from '../../language/render-context.ts';
import { Scope } from '../../language/scope.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import type { Features } from '../feature.ts';
import type { PartNodes } from '../nodes.ts';
import type { NoteParts } from '../notes/note-parts.ts';
import { Hyperlinks } from '../styles/hyperlinks.ts';
import { changedNumbering } from '../styles/numbering.ts';
import { TemplateStyles } from '../styles/template-styles.ts';
import type { Warning } from '../warning.ts';
import { AssetLookup, type Assets } from './assets.ts';
import { DataFaults } from './data-faults.ts';
import { MissingValues } from './data-warnings.ts';
import { finishParts } from './finish-parts.ts';
import { MissingWords } from './missing-words.ts';
import { OmittedPictures } from './omitted-pictures.ts';
import { Output } from './output.ts';
import { PackageAdditions } from './package-additions.ts';
import { Budget } from './render-budget.ts';
import { renderNodes } from './render-nodes.ts';
import type { ResolvedOptions } from './render-options.ts';
import type { Render, RenderState } from './render-state.ts';
import { UnprintedPictures } from './unprinted-pictures.ts';

export interface CompiledParts {
  readonly source: DocxPackage;
  readonly parts: readonly PartNodes[];
  readonly features: Features;
  /** The words for the formatter `translate`; later ones take precedence. */
  readonly dictionaries: readonly Dictionary[];
  readonly delimiters: Delimiters;
  readonly noteParts: NoteParts;
}

export interface FilledParts {
  /** Filled, changed and added parts. */
  readonly parts: ReadonlyMap<string, Buffer>;
  /** Values missing from the data, words missing from the dictionary, and pictures that are omitted. */
  readonly warnings: readonly Warning[];
  readonly unprinted: UnprintedPictures;
  /** The name of the original part by the name of its copy. */
  readonly copies: ReadonlyMap<string, string>;
}

/**
 * Fills the parts. Throws `data_invalid` with the JSON path of every value that does not fit, and `render_limit` when the
 * document exceeds its limits.
 */
export function renderParts(
  { source, parts, features, dictionaries, delimiters, noteParts }: CompiledParts,
  data: unknown,
  options: ResolvedOptions,
  given?: Assets,
): FilledParts {
  const render = startRender({ source, parts, features, delimiters }, options, given);
  const { budget, faults, missing, unprinted, omitted, assets, additions, hyperlinks } = render;
  const missingWords = new MissingWords();
  const context = new RenderContext(options, {
    spendItems: (count) => budget.listItems(count),
    words: wordsFor(dictionaries, options.locale),
    onMissingWord: (key) => missingWords.add(key),
  });
  const scope = Scope.root(data, context);
  const filled = parts
    .filter(({ isEmbedded }) => !isEmbedded)
    .map((part) => ({ part, output: renderPart(part, part.name, scope, render) }));
  faults.throwIfAny();
  assets.throwIfNeeded();
  const finished = finishParts(filled, noteParts, render);
  const ofFeatures = features.all.flatMap(({ finishRender }) => [...(finishRender?.(render) ?? [])]);
  const changed = new Map([
    ...finished,
    ...hyperlinks.changedParts(),
    ...ofFeatures,
    ...changedNumbering(render),
    ...additions.changes(),
  ]);
  const warnings = [...missing.warnings(), ...missingWords.warnings(options.locale), ...omitted.warnings()];
  return { parts: changed, warnings, unprinted, copies: additions.copies };
}

/** Writes one part with the data of `scope`, to be stored under `partName`. */
function renderPart(part: PartNodes, partName: string, scope: Scope, render: Render): Output {
  const state = stateOf(render, partName);
  renderNodes(part.nodes, scope, { index: 0, count: 1, isFirstOfAll: true }, state);
  for (const finish of part.finish) finish(state);
  return state.output;
}

function startRender(
  { source, parts, features, delimiters }: Omit<CompiledParts, 'dictionaries' | 'noteParts'>,
  options: ResolvedOptions,
  given?: Assets,
): Render {
  const additions = new PackageAdditions(source);
  let readStyles: TemplateStyles | undefined;
  const styles = () => {
    readStyles ??= new TemplateStyles(source);
    return readStyles;
  };
  const embedded = new Map(parts.filter(({ isEmbedded }) => isEmbedded).map((part) => [part.name, part]));
  const render: Render = {
    source,
    delimiters,
    renderEmbedded: (name, partName, scope) => {
      const part = embedded.get(name);
      return part && renderPart(part, partName, scope, render);
    },
    additions,
    styles,
    budget: new Budget(delimiters),
    faults: new DataFaults(),
    missing: new MissingValues(),
    unprinted: new UnprintedPictures(),
    omitted: new OmittedPictures(),
    onMissing: options.onMissing,
    assets: new AssetLookup(given),
    hyperlinks: new Hyperlinks(source, additions, styles),
    valueWriters: features.valueWriters,
    memory: new Map(),
  };
  return render;
}

// Copied property by property, because V8 reads an object with a fixed shape faster than one that was spread.
function stateOf(render: Render, partName: string): RenderState {
  return {
    render,
    partName,
    output: new Output(),
    source: render.source,
    renderEmbedded: render.renderEmbedded,
    delimiters: render.delimiters,
    budget: render.budget,
    faults: render.faults,
    missing: render.missing,
    unprinted: render.unprinted,
    omitted: render.omitted,
    onMissing: render.onMissing,
    additions: render.additions,
    assets: render.assets,
    hyperlinks: render.hyperlinks,
    styles: render.styles,
    valueWriters: render.valueWriters,
    memory: render.memory,
  };
}
