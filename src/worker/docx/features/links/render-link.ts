import type { ValueNode } from '../../core/nodes.ts';
import type { RenderState } from '../../core/render/render-state.ts';
import { evaluate, noteMissing, printedText, writeXml } from '../../core/render/tag-value.ts';
import { writeValue } from '../../core/render/write-value.ts';
import type { LinkedText } from '../../language/linked-text.ts';
import type { Scope } from '../../language/scope.ts';
import type { LinkNode } from './link-node.ts';
import { writeLink } from './write-link.ts';

/** Writes a text that leads to an address; without link where the data has no address, or none can stand. */
export function renderLink(node: ValueNode, { value, url }: LinkedText, scope: Scope, state: RenderState): void {
  if (url === undefined) noteMissing(node, scope, state);
  const text = printedText(node, value, scope, state);
  if (text === undefined || text === '') return;
  const xml = writeValue(text, node.host);
  const { runProperties, mayLink } = node;
  const place = { partName: state.partName, runProperties: runProperties ?? '', mayLink };
  const linked = url === undefined || runProperties === undefined ? undefined : state.rich.linkedText(xml, url, place);
  writeXml(linked === undefined ? xml : betweenRuns(linked, runProperties ?? ''), node, state);
}

/** Writes the start of a link whose address is filled from data. */
export function renderAddress(node: LinkNode, scope: Scope, state: RenderState): void {
  state.budget.lookup(node.tag);
  const url = evaluate(node, scope, state);
  if (url === undefined && (node.expression.missing?.(scope) ?? []).length > 0) noteMissing(node, scope, state);
  const { additions, partName } = state;
  const address = typeof url === 'string' ? url : undefined;
  const xml = writeLink(node, address, (judged) => additions.addHyperlink(partName, judged));
  writeXml(xml, node, state);
}

/** Runs of their own within a text, which goes on afterwards. */
export function betweenRuns(runs: string, runProperties: string): string {
  return `</w:t></w:r>${runs}<w:r>${runProperties}<w:t xml:space="preserve">`;
}
