import { extractText } from '../../core/compile/extract-text.ts';
import { oncePerTemplate, type TemplateInput } from '../../core/feature.ts';
import type { FeatureNode, Node } from '../../core/nodes.ts';
import { readRelationships, relationshipsPartOf, resolveTarget } from '../../package/relationships.ts';
import { findReferences, markReferences, type Reference } from './references.ts';
import { isInside, parseSheetArea, type SheetArea } from './workbook/area.ts';
import { type CellUse, type CompiledSheet, compileSheet, type SheetProblem } from './workbook/compile-sheet.ts';
import { Workbook } from './workbook/workbook.ts';
import { cacheNode } from './write-cache.ts';

/** What compilation finds in one chart and its workbook. */
export interface ChartPlan {
  /** The chart with markers in place of the data that its workbook has. */
  readonly xml: string;
  /** The nodes and texts for the markers. */
  readonly references: readonly (FeatureNode | string)[];
  /** Fill the sheets that have tags. */
  readonly sheetNodes: readonly Node[];
  readonly problems: readonly SheetProblem[];
  readonly isTagged: boolean;
}

const plansOf = oncePerTemplate(() => new Map<string, ChartPlan>());

/** The plan of a chart, made once per compilation. `xml` is the text of the part in `template.source`. */
export function chartPlan(template: TemplateInput, part: string, xml: string): ChartPlan {
  const plans = plansOf(template);
  const plan = plans.get(part) ?? planChart(template, part, xml);
  plans.set(part, plan);
  return plan;
}

interface LocatedReference extends Reference {
  readonly area: SheetArea | undefined;
}

function planChart(template: TemplateInput, part: string, xml: string): ChartPlan {
  const workbook = openWorkbook(template, part);
  const references = findReferences(xml).map((reference) => ({
    ...reference,
    area: parseSheetArea(reference.formula),
  }));
  const sheets = compileSheets(template, workbook, references);
  const marked = references.map((reference) => {
    const isOfWorkbook = reference.area !== undefined && sheets.has(reference.area.sheet.toLowerCase());
    return isOfWorkbook || !/[{}]/.test(xml.slice(reference.start, reference.end)) ? reference : undefined;
  });
  const markedXml = markReferences(xml, marked);
  const filled = [...sheets.values()].flatMap((sheet) => sheet ?? []);
  const problems = filled.flatMap((sheet) => sheet.problems);
  return {
    xml: markedXml,
    references: references.map((reference) => {
      const { area, start, end } = reference;
      const isFilled = area !== undefined && sheets.get(area.sheet.toLowerCase()) !== undefined;
      return isFilled ? cacheNode(reference, area) : xml.slice(start, end);
    }),
    sheetNodes: filled.flatMap(({ nodes }) => nodes),
    problems,
    isTagged: filled.length > 0 || /[{}]/.test(extractText(markedXml)),
  };
}

/** The part with the embedded workbook of a chart. */
export function workbookPart(source: TemplateInput['original'], chart: string): string | undefined {
  const relationships = readRelationships(source.readText(relationshipsPartOf(chart)) ?? '');
  const found = relationships.find(({ kind, isExternal }) => kind === 'package' && !isExternal);
  return found === undefined ? undefined : source.entry(resolveTarget(chart, found.target))?.name;
}

// For a PDF, `source` has no workbook any more.
function openWorkbook({ original }: TemplateInput, chart: string): Workbook | undefined {
  const part = workbookPart(original, chart);
  const bytes = part === undefined ? undefined : original.read(part);
  return bytes === undefined ? undefined : Workbook.open(bytes);
}

/** The sheets that the chart refers to, by lower-case name; undefined for one without tags. */
function compileSheets(
  { features: { syntaxes } }: TemplateInput,
  workbook: Workbook | undefined,
  references: readonly LocatedReference[],
): ReadonlyMap<string, CompiledSheet | undefined> {
  const sheets = new Map<string, CompiledSheet | undefined>();
  for (const { area } of references) {
    const key = area?.sheet.toLowerCase();
    if (area === undefined || key === undefined || sheets.has(key)) continue;
    const data = workbook?.sheet(area.sheet);
    if (data === undefined) continue;
    const ofSheet = references.filter((other) => other.area?.sheet.toLowerCase() === key);
    const useOf = (row: number, column: number) => cellUse(ofSheet, row, column);
    sheets.set(key, compileSheet(data.rows, { name: area.sheet, syntaxes, useOf }));
  }
  return sheets;
}

function cellUse(references: readonly LocatedReference[], row: number, column: number): CellUse {
  const using = references.filter(({ area }) => area !== undefined && isInside(area, row, column));
  const numbers = using.filter(({ role }) => role === 'value' || role === 'x');
  const isNumber = numbers.length > 0;
  const [first] = isNumber ? numbers : using;
  if (first === undefined) return { place: undefined, isNumber };
  const { role, series } = first;
  if (role === 'category') return { place: 'categories', isNumber };
  return { place: series === undefined ? 'title' : `series ${series}`, isNumber };
}
