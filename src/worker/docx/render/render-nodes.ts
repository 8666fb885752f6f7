import { isTruthy, printValue } from '../language/print-value.ts';
import { Scope } from '../language/scope.ts';
import type { Node, SectionNode, TextNode, ValueNode } from '../template/nodes.ts';
import type { Budget } from './budget.ts';
import type { DataFaults } from './data-faults.ts';
import type { ItemPlace } from './item-place.ts';
import type { Output } from './output.ts';
import { afterItem, beforeItem, fitPageSetups } from './page-layout.ts';
import { writeValue } from './write-value.ts';

export interface RenderState {
  readonly output: Output;
  readonly budget: Budget;
  readonly faults: DataFaults;
}

/** Writes the nodes for one level of data. `place` tells the items around it. */
export function renderNodes(nodes: readonly Node[], scope: Scope, place: ItemPlace, state: RenderState): void {
  for (const node of nodes) {
    if (node.kind === 'text') writeText(node, state);
    else if (node.kind === 'value') renderValue(node, scope, state);
    else renderSection(node, scope, place, state);
  }
}

function writeText(node: TextNode, { output, budget }: RenderState): void {
  if (node.mark !== undefined) output.mark(node.mark);
  output.pieces.push(node.xml);
  budget.write(node.xml.length, '');
}

function renderValue(node: ValueNode, scope: Scope, { output, budget, faults }: RenderState): void {
  budget.lookup(node.tag);
  const printed = printValue(node.expression.evaluate(scope));
  if ('problem' in printed) {
    if (!faults.isFull) faults.add(node.expression.locate(scope), node.tag, printed.problem);
    return;
  }
  if (printed.text === '') return;
  const xml = writeValue(printed.text, node.host);
  budget.write(xml.length, node.tag);
  output.pieces.push(xml);
}

function renderSection(node: SectionNode, scope: Scope, place: ItemPlace, state: RenderState): void {
  state.budget.lookup(node.tag);
  const value = node.expression.evaluate(scope);
  if (isTruthy(value) === node.isInverted) {
    if (node.layout !== undefined && node.layout.whenEmpty !== '') state.output.pieces.push(node.layout.whenEmpty);
    return;
  }
  if (node.isInverted || typeof value !== 'object' || value === null) {
    renderItem(node, scope, { index: 0, count: 1, isFirstOfAll: place.isFirstOfAll }, state);
    return;
  }
  if (!Array.isArray(value)) {
    const inner = new Scope(value, scope, node.expression);
    renderItem(node, inner, { index: 0, count: 1, isFirstOfAll: place.isFirstOfAll }, state);
    return;
  }
  for (const [index, item] of value.entries()) {
    const inner = new Scope(item, scope, node.expression, index);
    const isFirstOfAll = place.isFirstOfAll && index === 0;
    renderItem(node, inner, { index, count: value.length, isFirstOfAll }, state);
  }
}

function renderItem(node: SectionNode, scope: Scope, place: ItemPlace, state: RenderState): void {
  state.budget.iteration(node.tag);
  const { layout } = node;
  if (layout === undefined) {
    renderNodes(node.body, scope, place, state);
    return;
  }
  const { output } = state;
  beforeItem(layout, place, output);
  const start = { piece: output.pieces.length, mark: output.marks.length };
  renderNodes(node.body, scope, place, state);
  fitPageSetups(layout, place, output, start);
  afterItem(layout, place, output);
}
