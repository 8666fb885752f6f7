import type { FeatureNode, SectionNode, SectionWriter } from '../../core/nodes.ts';
import { checkScalar, isScalar } from '../../core/render/check-scalar.ts';
import { renderNodes } from '../../core/render/render-nodes.ts';
import { oncePerPart, type RenderState } from '../../core/render/render-state.ts';
import { evaluate, writeXml } from '../../core/render/tag-value.ts';
import { isTruthy } from '../../language/print-value.ts';
import { RepeatedList } from '../../language/repeated-list.ts';
import type { Scope } from '../../language/scope.ts';

/** A grid in a table of the template. */
export interface Grid {
  /** The markup between two copies of its rows. */
  readonly separator: string;
}

/** The state of a grid while it is being written. */
interface OpenGrid {
  readonly value: unknown;
  readonly list: RepeatedList | undefined;
  readonly count: number;
  /** The number of cells that have been written. */
  written: number;
  /** The section of the first cell, whose content the other cells repeat. */
  content: SectionNode | undefined;
}

const openGrids = oncePerPart(() => new Map<Grid, OpenGrid>());

/**
 * Writes copies of the rows until all items have a cell. Cells that are not part of the grid use the data around it.
 */
export function rowsWriter(grid: Grid): SectionWriter {
  return {
    sharesData: true,
    write: (node, scope, state) => {
      state.budget.lookup(node.tag);
      const value = evaluate(node, scope, state);
      if (!isTruthy(value)) return;
      const list = Array.isArray(value) ? new RepeatedList(value) : undefined;
      const open: OpenGrid = { value, list, count: list?.items.length ?? 1, written: 0, content: undefined };
      openGrids(state).set(grid, open);
      for (let before = -1; open.written < open.count && before < open.written; ) {
        before = open.written;
        if (before > 0) writeXml(grid.separator, node.tag, state);
        renderNodes(node.body, scope, { index: 0, count: 1, isFirstOfAll: true }, state);
      }
    },
  };
}

/** Writes the first cell, whose section holds the content of all cells. A cell without an item gets `empty`. */
export function firstCellWriter(grid: Grid, empty: string): SectionWriter {
  return {
    sharesData: false,
    write: (node, scope, state) => {
      const open = openGrids(state).get(grid);
      if (open === undefined) return;
      open.content = node;
      writeCell(open, empty, scope, state);
    },
  };
}

/** Writes any other cell, with the content of the first one. */
export function cellNode(grid: Grid, empty: string): FeatureNode {
  return {
    kind: 'feature',
    render: (scope, state) => {
      const open = openGrids(state).get(grid);
      if (open !== undefined) writeCell(open, empty, scope, state);
    },
  };
}

function writeCell(open: OpenGrid, empty: string, scope: Scope, state: RenderState): void {
  const { content, list, count, value } = open;
  const index = open.written++;
  if (content === undefined || index >= count) {
    state.output.mark('has-paragraph');
    writeXml(empty, '', state);
    return;
  }
  const { tag, expression, body } = content;
  const item = list === undefined ? value : list.items[index];
  state.budget.iteration(tag);
  const isEntered = list !== undefined || (typeof item === 'object' && item !== null);
  const position = list === undefined ? undefined : { index, count, list };
  const inner = isEntered ? scope.enter(item, expression, position) : scope;
  if (isScalar(item)) checkScalar(content, item, inner, isEntered ? inner.path : expression.locate(scope), state);
  renderNodes(body, inner, { index, count, isFirstOfAll: false }, state);
}
