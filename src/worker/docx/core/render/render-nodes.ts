import { columnValue, renderGrid } from '../../features/columns/render-grid.ts';
import { renderHtml } from '../../features/html/render-html.ts';
import { renderPicture } from '../../features/images/render-image.ts';
import { renderAddress, renderLink } from '../../features/links/render-link.ts';
import { renderMerge } from '../../features/tables/render-merge.ts';
import { LinkedText } from '../../language/linked-text.ts';
import { isTruthy } from '../../language/print-value.ts';
import type { Scope } from '../../language/scope.ts';
import type { Node, SectionNode, TextNode, ValueNode } from '../nodes.ts';
import type { ItemPlace } from './item-place.ts';
import { afterItem, beforeItem, fitPageSetups } from './page-layout.ts';
import { isScalar, refuseScalar } from './refuse-scalar.ts';
import type { RenderState } from './render-state.ts';
import { evaluate, noteMissing, printedText, writeXml } from './tag-value.ts';
import { writeHighlighted } from './write-highlighted.ts';
import { writeValue } from './write-value.ts';

export type { RenderState } from './render-state.ts';

/** Writes the nodes for one level of data. `place` tells the items around it. */
export function renderNodes(nodes: readonly Node[], scope: Scope, place: ItemPlace, state: RenderState): void {
  for (const node of nodes) {
    if (node.kind === 'text') writeText(node, state);
    else if (node.kind === 'value') renderValue(node, scope, state);
    else if (node.kind === 'html') renderHtml(node, scope, state);
    else if (node.kind === 'link') renderAddress(node, scope, state);
    else if (node.kind === 'picture') renderPicture(node, scope, state);
    else if (node.kind === 'section') renderSection(node, scope, place, state);
    else if (node.kind === 'merge' || node.kind === 'merge-reset') renderMerge(node, scope, state);
    else if (node.kind === 'grid' || node.kind === 'cell-grid') renderGrid(node, scope, state);
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
  if (value instanceof LinkedText) {
    renderLink(node, value, scope, state);
    return;
  }
  const text = printedText(node, value, scope, state);
  if (text !== undefined && text !== '') writeXml(writeValue(text, node.host), node, state);
}

function renderMissing(node: ValueNode, scope: Scope, state: RenderState): void {
  noteMissing(node, scope, state);
  if (state.onMissing !== 'highlight') return;
  const tag = `{${node.tag}}`;
  const { runProperties } = node;
  writeXml(runProperties === undefined ? writeValue(tag, 'plain') : writeHighlighted(tag, runProperties), node, state);
}

function renderSection(node: SectionNode, scope: Scope, place: ItemPlace, state: RenderState): void {
  state.budget.lookup(node.tag);
  const { value, source } =
    node.column === undefined
      ? { value: evaluate(node, scope, state), source: node.expression }
      : columnValue(node.column, state);
  if (isTruthy(value) === node.isInverted) {
    if (node.layout !== undefined && node.layout.whenEmpty !== '') state.output.pieces.push(node.layout.whenEmpty);
    return;
  }
  if (node.isInverted || typeof value !== 'object' || value === null) {
    if (!node.isInverted && isScalar(value)) refuseScalar(node, value, scope, source.locate(scope), state);
    renderItem(node, scope, { index: 0, count: 1, isFirstOfAll: place.isFirstOfAll }, state);
    return;
  }
  if (!Array.isArray(value)) {
    const inner = scope.enter(value, source);
    renderItem(node, inner, { index: 0, count: 1, isFirstOfAll: place.isFirstOfAll }, state);
    return;
  }
  const count = value.length;
  for (const [index, item] of value.entries()) {
    const itemPlace: ItemPlace = { index, count, isFirstOfAll: place.isFirstOfAll && index === 0 };
    const inner = scope.enter(item, source, itemPlace);
    if (isScalar(item)) refuseScalar(node, item, inner, inner.path, state);
    renderItem(node, inner, itemPlace, state);
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
