import { escapeAttribute } from '@docmill/word/escape-xml';
import type { FeatureNode } from '../../core/nodes.ts';
import type { RenderState } from '../../core/render/render-state.ts';
import { evaluate, noteMissing, printedText, writeXml } from '../../core/render/tag-value.ts';
import { betweenRuns, writeValue } from '../../core/render/write-value.ts';
import { linkEnd } from '../../core/styles/hyperlinks.ts';
import { PropertyList } from '../../core/styles/property-list.ts';
import type { AskingNode, ValueNode } from '../../core/value-node.ts';
import { LinkedText } from '../../language/linked-text.ts';
import type { Scope } from '../../language/scope.ts';

/** A template link whose address is filled from data. Its `tag` is the first tag of the address. */
export interface AddressPlace extends AskingNode {
  /** The text between `before` and `after`: the id of a relationship, or the address itself. */
  readonly writes: 'relationship' | 'address';
  readonly before: string;
  readonly after: string;
  /** Written when the data has no address. */
  readonly withoutAddress: string;
}

/** Writes the start of a link whose address is filled from data. Without an address, the text stays plain. */
export function addressNode(place: AddressPlace): FeatureNode {
  return { kind: 'feature', asks: place, render: (scope, state) => renderAddress(place, scope, state) };
}

function renderAddress(place: AddressPlace, scope: Scope, state: RenderState): void {
  state.budget.lookup(place.tag);
  const url = evaluate(place, scope, state);
  if (url === undefined && (place.expression.missing?.(scope) ?? []).length > 0) noteMissing(place, scope, state);
  writeXml(typeof url === 'string' ? withAddress(place, url, state) : place.withoutAddress, place.tag, state);
}

function withAddress({ writes, before, after }: AddressPlace, url: string, state: RenderState): string {
  const { additions, partName } = state;
  const written = writes === 'relationship' ? additions.addHyperlink(partName, url) : escapeAttribute(url);
  return `${before}${written}${after}`;
}

/** Writes linked text; plain text if the data has no address or no link is allowed here. */
export function writeLinkedText(value: object, node: ValueNode, scope: Scope, state: RenderState): boolean {
  if (!(value instanceof LinkedText)) return false;
  if (value.url === undefined) noteMissing(node, scope, state);
  const text = printedText(node, value.value, scope, state);
  if (text !== undefined && text !== '')
    writeXml(linked(writeValue(text, node.host), value.url, node, state), node.tag, state);
  return true;
}

function linked(xml: string, url: string | undefined, node: ValueNode, state: RenderState): string {
  const { runProperties, mayLink } = node;
  if (url === undefined || runProperties === undefined) return xml;
  const { hyperlinks, partName } = state;
  const open = hyperlinks.open(url, { partName, mayLink });
  if (open === undefined) return xml;
  const run = hyperlinks.runProperties(PropertyList.parse('w:rPr', runProperties));
  const link = `${open}<w:r>${run.toXml()}<w:t xml:space="preserve">${xml}</w:t></w:r>${linkEnd}`;
  return betweenRuns(link, runProperties);
}
