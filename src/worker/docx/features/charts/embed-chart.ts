import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, readAttributes, scanXmlTags } from '@docmill/word/xml-tokens';
import { AppError } from '../../../../shared/errors.ts';
import type { FeatureNode } from '../../core/nodes.ts';
import type { Output } from '../../core/render/output.ts';
import { oncePerRender, type Render, type RenderState } from '../../core/render/render-state.ts';
import { writeXml } from '../../core/render/tag-value.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { chartLimits } from './chart-limits.ts';
import { workbookPart } from './chart-plan.ts';
import { filledSheets } from './workbook/filled-sheet.ts';
import { Workbook } from './workbook/workbook.ts';
import { writeWorkbook } from './workbook/write-workbook.ts';

interface ShownChart {
  /** The part of the template. */
  readonly part: string;
  /** The type of the relationship to it. */
  readonly type: string;
}

/** The charts that one render has filled. */
class FilledCharts {
  /** Parts of the template that have been filled, by name. */
  readonly inPlace = new Map<string, Buffer>();
  readonly #workbooks = new Map<string, Workbook | undefined>();
  #placed = 0;
  #workbookBytes = 0;

  /** Counts one more chart. Throws `render_limit` when the document has too many. */
  place(): void {
    if (++this.#placed > chartLimits.placed) throw tooMuch(`more than ${chartLimits.placed} charts with tags`);
  }

  /** The bytes of the workbook with its filled sheets; undefined when no sheet has tags. */
  fillWorkbook(source: DocxPackage, part: string, output: Output): Buffer | undefined {
    const sheets = filledSheets({ output });
    if (sheets.size === 0) return undefined;
    if (!this.#workbooks.has(part)) this.#workbooks.set(part, Workbook.open(source.read(part) ?? Buffer.alloc(0)));
    const workbook = this.#workbooks.get(part);
    if (workbook === undefined) return undefined;
    const bytes = writeWorkbook(workbook, sheets);
    this.#workbookBytes += bytes.length;
    const megabytes = chartLimits.totalWorkbookBytes / 1024 / 1024;
    if (this.#workbookBytes > chartLimits.totalWorkbookBytes)
      throw tooMuch(`data of charts of more than ${megabytes} MB`);
    return bytes;
  }
}

const filledCharts = oncePerRender(() => new FilledCharts());

/** The parts of the template's charts that a render filled. */
export function filledInPlace(render: Render): ReadonlyMap<string, Buffer> {
  return filledCharts({ render }).inPlace;
}

/**
 * Shows a chart in one place of the document. The first place fills the parts of the template; each other place gets copies
 * of the chart, its workbook and its styles.
 */
export function embedNode(tag: string, id: string, chart: ShownChart): FeatureNode {
  return {
    kind: 'feature',
    embeds: chart.part,
    render: (scope, state) => {
      const charts = filledCharts(state);
      charts.place();
      const workbook = workbookPart(state.source, chart.part);
      const isFirst = ![chart.part, workbook ?? ''].some((name) => charts.inPlace.has(name));
      const copies = isFirst ? undefined : copyRelated(chart.part, workbook, state);
      const name = copies?.chart ?? chart.part;
      const output = state.renderEmbedded(chart.part, name, scope);
      if (output === undefined) throw new Error('an embedded chart was not compiled');
      const bytes = Buffer.from(output.pieces.join(''));
      const filled = workbook === undefined ? undefined : charts.fillWorkbook(state.source, workbook, output);
      if (copies === undefined) {
        charts.inPlace.set(name, bytes);
        if (workbook !== undefined && filled !== undefined) charts.inPlace.set(workbook, filled);
        writeXml(tag, '', state);
        return;
      }
      state.additions.addCopy(name, chart.part, bytes);
      if (workbook !== undefined && copies.workbook !== undefined)
        state.additions.addCopy(copies.workbook, workbook, filled ?? state.source.read(workbook) ?? Buffer.alloc(0));
      const newId = state.additions.relate(state.partName, chart.type, { part: name });
      writeXml(withId(tag, id, newId), '', state);
    },
  };
}

/** Kinds of parts that belong to one chart only. */
const ownKinds = new Set(['chartstyle', 'chartcolorstyle', 'themeoverride', 'chartusershapes']);

/** Names the copies of a chart and its workbook, and copies the other parts that belong to it. */
function copyRelated(
  chart: string,
  workbook: string | undefined,
  { source, additions }: RenderState,
): { readonly chart: string; readonly workbook: string | undefined } {
  const relationships = source.readText(relationshipsPartOf(chart));
  if (relationships === undefined) return { chart: additions.nameCopy(chart), workbook: undefined };
  const edits = new TextEdits();
  let workbookCopy: string | undefined;
  const targets = new Map<number, string>();
  for (const { kind, isExternal, target, start } of readRelationships(relationships)) {
    const part = isExternal ? undefined : source.entry(resolveTarget(chart, target))?.name;
    if (part === undefined) continue;
    if (part === workbook) {
      workbookCopy ??= additions.nameCopy(part);
      targets.set(start, workbookCopy);
    } else if (ownKinds.has(kind)) {
      const copy = additions.nameCopy(part, source.readText(relationshipsPartOf(part)));
      additions.addCopy(copy, part, source.read(part) ?? Buffer.alloc(0));
      targets.set(start, copy);
    }
  }
  scanXmlTags(relationships, (tag) => {
    const copy = targets.get(tag.start);
    const target = readAttributes(relationships, tag).find(({ name }) => name === 'Target');
    if (copy !== undefined && target !== undefined)
      edits.replace(target.start, target.end, `Target="/${encodeURI(copy)}"`);
  });
  return { chart: additions.nameCopy(chart, edits.apply(relationships)), workbook: workbookCopy };
}

function withId(element: string, id: string, newId: string): string {
  let changed = element;
  scanXmlTags(element, (tag) => {
    const attribute = readAttributes(element, tag).find(({ local, value }) => local === 'id' && value === id);
    if (attribute === undefined || attributeOf(element, tag, 'id') !== id) return;
    changed = `${element.slice(0, attribute.start)}${attribute.name}="${newId}"${element.slice(attribute.end)}`;
  });
  return changed;
}

function tooMuch(what: string): AppError {
  const message = `The document holds ${what}`;
  const hint = 'show fewer charts, or render fewer rows in one document';
  return new AppError('render_limit', message, { details: [{ type: 'Message', message, hint }] });
}
