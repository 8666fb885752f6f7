import { isTruthy } from '../../language/print-value.ts';
import { RepeatedList } from '../../language/repeated-list.ts';
import type { Expression, ListPosition, Scope } from '../../language/scope.ts';
import type { Node, SectionNode, TextNode } from '../nodes.ts';
import type { ValueNode } from '../value-node.ts';
import { checkScalar, isScalar } from './check-scalar.ts';
import { afterItem, beforeItem, fitPageSetups, type SectionPlace } from './page-layout.ts';
import type { RenderState } from './render-state.ts';
import { evaluate, noteMissing, printedText, writeXml, writtenTag } from './tag-value.ts';
import { writeMissingTag, writeValue } from './write-value.ts';

/** Writes the nodes for one level of data. `place` is the position of the enclosing item. */
export function renderNodes(nodes: readonly Node[], scope: Scope, place: SectionPlace, state: RenderState): void {
  for (const node of nodes) {
    if (node.kind === 'text') writeText(node, state);
    else if (node.kind === 'value') renderValue(node, scope, state);
    else if (node.kind === 'section' && node.writer !== undefined) node.writer.write(node, scope, state);
    else if (node.kind === 'section' && node.included !== undefined) {
      state.faults.within(node.included.template, () => renderSection(node, scope, place, state));
    } else if (node.kind === 'section') renderSection(node, scope, place, state);
    else {
      if (node.mark !== undefined) state.output.mark(node.mark);
      node.render(scope, state);
    }
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
    noteMissing(node, scope, state);
    if (state.onMissing === 'highlight')
      writeXml(writeMissingTag(writtenTag(node, state), node.runProperties), node.tag, state);
    else if (node.isKept) writeXml(writeValue(writtenTag(node, state), node.host), node.tag, state);
    return;
  }
  if (typeof value === 'object' && value !== null) {
    if (state.valueWriters.some((write) => write(value, node, scope, state))) return;
  }
  const text = printedText(node, value, scope, state);
  if (text !== undefined && text !== '') writeXml(writeValue(text, node.host), node.tag, state);
}

function renderSection(node: SectionNode, scope: Scope, place: SectionPlace, state: RenderState): void {
  state.budget.lookup(node.tag);
  const { value, source } = node.source?.read(state) ?? {
    value: evaluate(node, scope, state),
    source: node.expression,
  };
  if (isTruthy(value) === node.isInverted) {
    if (node.layout !== undefined && node.layout.whenEmpty !== '') state.output.pieces.push(node.layout.whenEmpty);
    return;
  }
  if (node.isInverted || typeof value !== 'object' || value === null) {
    if (!node.isInverted && isScalar(value)) checkScalar(node, value, scope, source.locate(scope), state);
    renderItem(node, scope, { index: 0, count: 1, isFirstOfAll: place.isFirstOfAll }, state);
    return;
  }
  if (!Array.isArray(value)) {
    const inner = enter(node, value, source, scope);
    renderItem(node, inner, { index: 0, count: 1, isFirstOfAll: place.isFirstOfAll }, state);
    return;
  }
  const count = value.length;
  const list = new RepeatedList(value);
  for (const [index, item] of value.entries()) {
    const itemPlace = { index, count, isFirstOfAll: place.isFirstOfAll && index === 0, list };
    const inner = enter(node, item, source, scope, itemPlace);
    if (isScalar(item)) checkScalar(node, item, inner, inner.path, state);
    renderItem(node, inner, itemPlace, state);
  }
}

function enter(
  { included }: SectionNode,
  value: unknown,
  source: Expression,
  scope: Scope,
  position?: ListPosition,
): Scope {
  return included?.hasOwnScope === true
    ? scope.enterAlone(value, source, position)
    : scope.enter(value, source, position);
}

function renderItem(node: SectionNode, scope: Scope, place: SectionPlace, state: RenderState): void {
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
