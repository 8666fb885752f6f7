import type { FeatureNode, SectionValue } from '../../core/nodes.ts';
import { oncePerPart, type RenderState } from '../../core/render/render-state.ts';
import { evaluate, writeXml } from '../../core/render/tag-value.ts';
import { isTruthy } from '../../language/print-value.ts';
import type { Expression, Scope } from '../../language/scope.ts';

/** Word's maximum; it cannot open a table with more columns. */
export const maxColumns = 63;

/** Grid columns that are repeated for each item of a list, or shown under a condition. */
export interface Column {
  readonly tag: string;
  readonly expression: Expression;
  readonly isInverted: boolean;
  /** Its first grid column, and the number of columns it covers. */
  readonly start: number;
  readonly span: number;
}

/** The grid of a table with repeated or conditional columns. */
export interface Grid {
  readonly columns: readonly Column[];
  /** Widths of the template's grid columns, in twentieths of a point. */
  readonly widths: readonly number[];
  /** Writes `w:tblGrid` and determines how often each column is repeated. */
  readonly node: FeatureNode;
}

/** Position of a cell in the template's grid. */
export interface CellPlace {
  readonly start: number;
  readonly span: number;
  /** Whether the cell lies inside a repeated or conditional column. */
  readonly isInColumn: boolean;
}

/** The grid of one table while it is written. */
interface ActualGrid {
  readonly values: ReadonlyMap<Column, SectionValue>;
  /** Number of copies of each template grid column. */
  readonly counts: readonly number[];
  /** Width of one copy of each grid column, in twentieths of a point, scaled so that the table keeps its width. */
  readonly widths: readonly number[];
}

/** The current table of each grid in a part. */
const actualGrids = oncePerPart(() => new Map<Grid, ActualGrid>());

export function createGrid(columns: readonly Column[], widths: readonly number[]): Grid {
  const grid: Grid = {
    columns,
    widths,
    node: { kind: 'feature', render: (scope, state) => writeXml(gridXml(beginGrid(grid, scope, state)), '', state) },
  };
  return grid;
}

/** Writes the width and span of one cell (`w:tcW`, `w:gridSpan`). */
export function cellNode(grid: Grid, place: CellPlace): FeatureNode {
  return {
    kind: 'feature',
    render: (_, state) => {
      const actual = actualGrids(state).get(grid);
      if (actual !== undefined) writeXml(cellXml(place, actual), '', state);
    },
  };
}

/** The value that the cells of a column repeat. */
export function columnValue(column: Column, grid: Grid, state: RenderState): SectionValue {
  return actualGrids(state).get(grid)?.values.get(column) ?? { value: undefined, source: column.expression };
}

function beginGrid(grid: Grid, scope: Scope, state: RenderState): ActualGrid {
  const actual = fillGrid(grid, scope, state);
  if (actual.counts.reduce((sum, count) => sum + count, 0) > maxColumns) reject(actual, scope, state);
  actualGrids(state).set(grid, actual);
  return actual;
}

function fillGrid({ columns, widths }: Grid, scope: Scope, state: RenderState): ActualGrid {
  const counts = widths.map(() => 1);
  const values = new Map<Column, SectionValue>();
  for (const column of columns) {
    state.budget.lookup(column.tag);
    const value = evaluate(column, scope, state);
    const { expression, isInverted, start, span } = column;
    values.set(column, { value, source: sourceOf(value, expression, scope) });
    const count = isTruthy(value) === isInverted ? 0 : Array.isArray(value) && !isInverted ? value.length : 1;
    counts.fill(count, start, start + span);
  }
  const before = widths.reduce((sum, width) => sum + width, 0);
  const after = widths.reduce((sum, width, i) => sum + width * (counts[i] ?? 1), 0);
  const scale = after === 0 ? 1 : before / after;
  return { values, counts, widths: widths.map((width) => Math.max(1, Math.round(width * scale))) };
}

/** The value as found in `scope`, independent of the cell that reads it. */
function sourceOf(value: unknown, expression: Expression, scope: Scope): Expression {
  const path = () => expression.locate(scope);
  return {
    evaluate: () => value,
    locate: path,
    locateItem: (_, item, index) => expression.locateItem?.(scope, item, index) ?? `${path()}[${index}]`,
    uses: () => [],
  };
}

function reject({ values }: ActualGrid, scope: Scope, { faults }: RenderState): void {
  for (const [{ tag }, { value, source }] of values) {
    if (!Array.isArray(value)) continue;
    const problem = `makes a table of more than ${maxColumns} columns, which Word cannot open`;
    faults.add(source.locate(scope), `The value of {|${tag}} ${problem}.`);
  }
  faults.throwIfAny();
}

function gridXml({ counts, widths }: ActualGrid): string {
  const columns = widths.map((width, i) => `<w:gridCol w:w="${width}"/>`.repeat(counts[i] ?? 1));
  return `<w:tblGrid>${columns.join('')}</w:tblGrid>`;
}

/** A cell inside a repeated column has the width of one copy. */
function cellXml({ start, span, isInColumn }: CellPlace, { counts, widths }: ActualGrid): string {
  let columns = 0;
  let width = 0;
  for (let i = start; i < start + span; i++) {
    const count = isInColumn ? 1 : (counts[i] ?? 1);
    columns += count;
    width += (widths[i] ?? 0) * count;
  }
  const wide = `<w:tcW w:w="${width}" w:type="dxa"/>`;
  return columns > 1 ? `${wide}<w:gridSpan w:val="${columns}"/>` : wide;
}
