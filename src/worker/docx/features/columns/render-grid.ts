import type { RenderState } from '../../core/render/render-state.ts';
import { evaluate } from '../../core/render/tag-value.ts';
import type { Scope } from '../../language/scope.ts';
import { type ActualGrid, actualGrid, type ColumnValue, cellGridXml, columnCount, gridXml } from './actual-grid.ts';
import { type CellGridNode, type ColumnCell, type GridNode, mostColumns } from './column.ts';

/** Writes the grid of a table, whose columns are looked up then, or the width and span of one of its cells. */
export function renderGrid(node: GridNode | CellGridNode, scope: Scope, state: RenderState): void {
  if (node.kind === 'grid') write(gridXml(beginGrid(node, scope, state)), state);
  else {
    const grid = state.output.grids.get(node.grid);
    if (grid !== undefined) write(cellGridXml(node, grid), state);
  }
}

/** What the cells of a column repeat. */
export function columnValue({ grid, column }: ColumnCell, { output }: RenderState): ColumnValue {
  return output.grids.get(grid)?.values.get(column) ?? { value: undefined, source: column.expression };
}

function beginGrid(node: GridNode, scope: Scope, state: RenderState): ActualGrid {
  const grid = actualGrid(node, scope, (column) => {
    state.budget.lookup(column.tag);
    return evaluate(column, scope, state);
  });
  if (columnCount(grid) > mostColumns) refuse(grid, scope, state);
  state.output.grids.set(node, grid);
  return grid;
}

function refuse({ values }: ActualGrid, scope: Scope, { faults }: RenderState): void {
  for (const [{ tag }, { value, source }] of values) {
    if (!Array.isArray(value)) continue;
    const problem = `makes a table of more than ${mostColumns} columns, which Word cannot open`;
    faults.add(source.locate(scope), `The value of {|${tag}} ${problem}.`);
  }
  faults.throwIfAny();
}

function write(xml: string, { output, budget }: RenderState): void {
  budget.write(xml.length, '');
  output.pieces.push(xml);
}
