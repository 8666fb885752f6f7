import type { Scope } from '../language/scope.ts';
import type { LinkedText } from '../links/linked-text.ts';
import type { ValueNode } from '../template/nodes.ts';
import type { RenderState } from './render-state.ts';
import { noteMissing, printedText, writeXml } from './tag-value.ts';
import { writeValue } from './write-value.ts';

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

/** Runs of their own within a text, which goes on afterwards. */
export function betweenRuns(runs: string, runProperties: string): string {
  return `</w:t></w:r>${runs}<w:r>${runProperties}<w:t xml:space="preserve">`;
}
