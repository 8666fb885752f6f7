import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { extractText } from '../../core/compile/extract-text.ts';
import { oncePerTemplate, type TemplateInput } from '../../core/feature.ts';
import type { FeatureNode, Node } from '../../core/nodes.ts';
import { writeXml } from '../../core/render/tag-value.ts';
import { chartLimits } from './chart-limits.ts';
import { findReferences } from './chart-references.ts';
import { findExtendedReferences } from './extended-references.ts';
import { markReferences, type Reference } from './references.ts';
import { isInside, parseSheetArea, type SheetArea, writeSheetArea } from './workbook/area.ts';
import { type CellUse, type CompiledSheet, compileSheet, type SheetProblem } from './workbook/compile-sheet.ts';
import { filledSheet } from './workbook/filled-sheet.ts';
import { Workbook } from './workbook/workbook.ts';

/** The result of compiling one chart and its workbook. */
export interface ChartPlan {
  /** The chart with markers in place of the data that its workbook has. */
  readonly xml: string;
  /** The nodes or markup for the markers. */
  readonly references: readonly (FeatureNode | string)[];
  /** The nodes that fill those sheets of the workbook that contain tags. */
  readonly sheetNodes: readonly Node[];
  readonly problems: readonly SheetProblem[];
  readonly isTagged: boolean;
}

/** The chart types introduced with Office 2016: waterfall, treemap, histogram … */
const extendedChartType = 'application/vnd.ms-office.chartex+xml';
const chartTypes = new Set(['application/vnd.openxmlformats-officedocument.drawingml.chart+xml', extendedChartType]);

export function isChart({ source }: TemplateInput, part: string): boolean {
  return chartTypes.has(source.contentType(part) ?? '');
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
  const isExtended = template.source.contentType(part) === extendedChartType;
  const found = isExtended ? findExtendedReferences(xml) : findReferences(xml);
  const references = found.map((reference) => ({
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
  const problems = [...filled.flatMap((sheet) => sheet.problems), ...rangeProblems(references, sheets)];
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

/** Writes a reference to filled cells: a formula with their new positions, and their values. */
function cacheNode(reference: Reference, area: SheetArea): FeatureNode {
  return {
    kind: 'feature',
    render: (_, state) => {
      const sheet = filledSheet(state, area.sheet);
      const moved = sheet.moved(area);
      const formula = writeSheetArea({ sheet: area.sheet, ...moved });
      writeXml(reference.write(formula, sheet.values(moved)), '', state);
    },
  };
}

/** Ranges that cannot follow their cells when the sheet is filled. */
function rangeProblems(
  references: readonly LocatedReference[],
  sheets: ReadonlyMap<string, CompiledSheet | undefined>,
): SheetProblem[] {
  if (![...sheets.values()].some((sheet) => sheet !== undefined)) return [];
  return references.flatMap(({ formula, area, role, series }) => {
    const place = series === undefined ? 'data' : `series ${series}`;
    const report = (message: string, hint: string) => [
      { text: formula, problem: { message, tag: '', offset: 0, hint }, place },
    ];
    if (area === undefined) {
      if (formula === '') return [];
      const hint = 'let the chart refer to one range of cells (Chart Design, Select Data)';
      return report(`the range ${formula} cannot be filled`, hint);
    }
    const isRow = (role === 'value' || role === 'x') && area.top === area.bottom && area.left < area.right;
    if (!isRow || sheets.get(area.sheet.toLowerCase())?.repeatedRows.has(area.top) !== true) return [];
    const hint = 'write the values of a series below each other, in a column';
    return report(`a section repeats row ${area.top}, which has all values of the series`, hint);
  });
}

/** The part with the embedded workbook of a chart. */
export function workbookPart(source: TemplateInput['original'], chart: string): string | undefined {
  const relationships = readRelationships(source.readText(relationshipsPartOf(chart)) ?? '');
  const found = relationships.find(({ kind, isExternal }) => kind === 'package' && !isExternal);
  return found === undefined ? undefined : source.entry(resolveTarget(chart, found.target))?.name;
}

const inflatedOf = oncePerTemplate(() => ({ bytes: 0 }));

// For PDFs, sanitizing has removed the workbook from `source`.
function openWorkbook(template: TemplateInput, chart: string): Workbook | undefined {
  const { original } = template;
  const part = workbookPart(original, chart);
  const bytes = part === undefined ? undefined : original.read(part);
  const workbook = bytes === undefined ? undefined : Workbook.open(bytes);
  if (workbook === undefined) return undefined;
  const inflated = inflatedOf(template);
  inflated.bytes += workbook.sizeBytes;
  return inflated.bytes > chartLimits.templateInflatedBytes ? undefined : workbook;
}

/** The sheets that the chart refers to, by lower-case name; undefined for one without tags. */
function compileSheets(
  { features: { syntaxes }, syntax }: TemplateInput,
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
    sheets.set(key, compileSheet(data.rows, { name: area.sheet, syntaxes, syntax, useOf }));
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
  return { place: series === undefined ? undefined : `series ${series}`, isNumber };
}
