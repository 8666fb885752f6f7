import { ValueProblem } from '../language/expressions/value-problem.ts';
import { isTruthy, printValue } from '../language/print-value.ts';
import type { Scope } from '../language/scope.ts';
import type { Node, SectionNode, TextNode, ValueNode } from '../template/nodes.ts';
import type { Budget } from './budget.ts';
import type { DataFaults } from './data-faults.ts';
import type { ItemPlace } from './item-place.ts';
import type { MissingValues } from './missing-values.ts';
import type { Output } from './output.ts';
import type { PackageAdditions } from './package-additions.ts';
import { afterItem, beforeItem, fitPageSetups } from './page-layout.ts';
import type { MissingPolicy } from './render-options.ts';
import { writeHighlighted } from './write-highlighted.ts';
import { writeValue } from './write-value.ts';

export interface RenderState {
  readonly output: Output;
  readonly budget: Budget;
  readonly faults: DataFaults;
  readonly missing: MissingValues;
  readonly onMissing: MissingPolicy;
  /** The part that is written. */
  readonly partName: string;
  /** What the render adds to the package. */
  readonly additions: PackageAdditions;
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

function renderValue(node: ValueNode, scope: Scope, state: RenderState): void {
  state.budget.lookup(node.tag);
  const value = evaluate(node, scope, state);
  if (value === undefined) {
    renderMissing(node, scope, state);
    return;
  }
  const printed = printValue(value);
  if ('problem' in printed) {
    const { faults } = state;
    if (!faults.isFull) faults.add(node.expression.locate(scope), `The value of {${node.tag}} ${printed.problem}.`);
    return;
  }
  if (printed.text !== '') write(writeValue(printed.text, node.host), node, state);
}

function write(xml: string, node: ValueNode, { output, budget }: RenderState): void {
  budget.write(xml.length, node.tag);
  output.pieces.push(xml);
}

function renderMissing(node: ValueNode, scope: Scope, state: RenderState): void {
  const paths = state.missing.add(node, scope);
  if (state.onMissing === 'error') {
    for (const path of paths) state.faults.add(path, `The value of {${node.tag}} is missing.`);
  } else if (state.onMissing === 'highlight') {
    const tag = `{${node.tag}}`;
    const { runProperties } = node;
    write(runProperties === undefined ? writeValue(tag, 'plain') : writeHighlighted(tag, runProperties), node, state);
  }
}

/** The value of a tag; null when the data does not fit its formula, of which the client is told at the end. */
function evaluate({ expression, tag }: ValueNode | SectionNode, scope: Scope, { faults }: RenderState): unknown {
  try {
    return expression.evaluate(scope);
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error;
    const subject = error.path.startsWith('data') ? 'the value' : 'the language';
    faults.add(error.path, `In {${tag}}, ${subject} ${error.problem}.`);
    if (faults.isFull) faults.throwIfAny();
    return null;
  }
}

function renderSection(node: SectionNode, scope: Scope, place: ItemPlace, state: RenderState): void {
  state.budget.lookup(node.tag);
  const value = evaluate(node, scope, state);
  if (isTruthy(value) === node.isInverted) {
    if (node.layout !== undefined && node.layout.whenEmpty !== '') state.output.pieces.push(node.layout.whenEmpty);
    return;
  }
  if (node.isInverted || typeof value !== 'object' || value === null) {
    renderItem(node, scope, { index: 0, count: 1, isFirstOfAll: place.isFirstOfAll }, state);
    return;
  }
  if (!Array.isArray(value)) {
    const inner = scope.enter(value, node.expression);
    renderItem(node, inner, { index: 0, count: 1, isFirstOfAll: place.isFirstOfAll }, state);
    return;
  }
  const count = value.length;
  for (const [index, item] of value.entries()) {
    const itemPlace: ItemPlace = { index, count, isFirstOfAll: place.isFirstOfAll && index === 0 };
    renderItem(node, scope.enter(item, node.expression, itemPlace), itemPlace, state);
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
