import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import type { Feature, PartCompiler, TemplatePart } from '../../core/feature.ts';
import type { FeatureNode, Node } from '../../core/nodes.ts';
import { type ChartPlan, chartPlan, isChart } from './chart-plan.ts';
import { embedNode, filledInPlace } from './embed-chart.ts';
import { findChartTags, splitAtReferences } from './references.ts';

/** Charts: tags in their titles, and in the cells of their workbooks. */
export const charts: Feature = { name: 'charts', openPart, finishRender: filledInPlace };

function openPart(part: TemplatePart): PartCompiler | undefined {
  const { template, name, xml } = part;
  return isChart(template, name) ? openChart(chartPlan(template, name, xml)) : openHost(part);
}

function openChart(plan: ChartPlan): PartCompiler {
  let isFirst = true;
  return {
    xml: plan.xml,
    scan: () => ({ hasTags: plan.isTagged, elsewhere: plan.problems }),
    readNodes: () => ({
      splitText: (xml) => {
        const pieces = splitAtReferences(xml);
        if (pieces.length === 1) return undefined;
        // The sheets are filled before the first of their values is written.
        const sheets = isFirst ? plan.sheetNodes : [];
        isFirst = false;
        return [...sheets, ...pieces.map((piece) => (typeof piece === 'string' ? piece : referenceOf(plan, piece)))];
      },
    }),
  };
}

function referenceOf({ references }: ChartPlan, index: number): FeatureNode | string {
  return references[index] ?? '';
}

/** Compiles a part that shows charts. */
function openHost({ template, source, name, xml }: TemplatePart): PartCompiler | undefined {
  const shown = findChartTags(xml);
  if (shown.length === 0) return undefined;
  const relationships = readRelationships(source.readText(relationshipsPartOf(name)) ?? '');
  const charts = new Map<string, { readonly part: string; readonly type: string }>();
  for (const { id, isExternal, target, type } of relationships) {
    const part = isExternal ? undefined : source.entry(resolveTarget(name, target))?.name;
    if (part === undefined || !isChart(template, part) || !shown.some((tag) => tag.id === id)) continue;
    if (chartPlan(template, part, source.readText(part) ?? '').isTagged) charts.set(id, { part, type });
  }
  if (charts.size === 0) return undefined;
  return {
    scan: () => ({ hasTags: true }),
    readNodes: () => ({ splitText: (text) => splitAtCharts(text, charts) }),
  };
}

function splitAtCharts(
  xml: string,
  charts: ReadonlyMap<string, { readonly part: string; readonly type: string }>,
): readonly (string | Node)[] | undefined {
  const pieces: (string | Node)[] = [];
  let read = 0;
  for (const { tag, id } of findChartTags(xml)) {
    const chart = charts.get(id);
    if (chart === undefined) continue;
    pieces.push(xml.slice(read, tag.start), embedNode(xml.slice(tag.start, tag.end), id, chart));
    read = tag.end;
  }
  return pieces.length === 0 ? undefined : [...pieces, xml.slice(read)];
}
