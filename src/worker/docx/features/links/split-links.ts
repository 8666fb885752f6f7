import { decodeEntities } from '@docmill/word/xml-tokens';
import type { FeatureNode } from '../../core/nodes.ts';
import { addressNode } from './render-link.ts';
import { type FillableAddress, readAddress } from './scan-addresses.ts';

const links =
  /<(?:w:hyperlink|a:hlinkClick|a:hlinkHover)\s[^<>]*>|<w:instrText(?:\s[^<>]*)?>[^<]*<\/w:instrText>|<w:fldSimple\s[^<>]*>/g;

/** Splits XML into nodes for filled addresses and the markup between them. */
export function splitLinks(xml: string, byId: ReadonlyMap<string, FillableAddress>): readonly (string | FeatureNode)[] {
  const pieces: (string | FeatureNode)[] = [];
  let read = 0;
  for (const match of xml.matchAll(links)) {
    const [source] = match;
    const node =
      source.startsWith('<w:instrText') || source.startsWith('<w:fldSimple') ? field(source) : link(source, byId);
    if (node === undefined) continue;
    if (match.index > read) pieces.push(xml.slice(read, match.index));
    pieces.push(node);
    read = match.index + source.length;
  }
  if (read < xml.length) pieces.push(xml.slice(read));
  return pieces;
}

function link(source: string, byId: ReadonlyMap<string, FillableAddress>): FeatureNode | undefined {
  const attribute = /\s\w+:id="([^"]*)"/.exec(source);
  const address = byId.get(decodeEntities(attribute?.[1] ?? ''));
  if (attribute === null || address === undefined) return undefined;
  const start = attribute.index + attribute[0].indexOf('"') + 1;
  const end = attribute.index + attribute[0].length;
  const without = `${source.slice(0, attribute.index)}${source.slice(end)}`;
  // A hyperlink is valid without an address; a link of a drawing is not.
  const withoutAddress = source.startsWith('<w:')
    ? without
    : source.endsWith('/>')
      ? ''
      : source.slice(0, start) + source.slice(end - 1);
  return addressNode({
    ...address,
    writes: 'relationship',
    before: source.slice(0, start),
    after: source.slice(end - 1),
    withoutAddress,
  });
}

const instruction = /HYPERLINK\s+(?:"|&quot;)((?:(?!"|&quot;)[^<])*)(?="|&quot;)/i;

/** A field within one run, as authors write it: `HYPERLINK "{url}"`. */
function field(source: string): FeatureNode | undefined {
  const found = instruction.exec(source);
  const written = found?.[1] ?? '';
  const address = found === null ? undefined : readAddress(decodeEntities(written));
  if (found === null || address === undefined || 'problem' in address) return undefined;
  const end = found.index + found[0].length;
  const start = end - written.length;
  const withoutAddress = source.startsWith('<w:fldSimple')
    ? source.replace(/(\sw:instr=)(?:"[^"]*"|'[^']*')/, '$1""')
    : '<w:instrText></w:instrText>';
  const { before, after } = { before: source.slice(0, start), after: source.slice(end) };
  return addressNode({ ...address, writes: 'address', before, after, withoutAddress });
}

/** Whether a string has fields whose addresses `splitLinks` would fill. */
export function hasFieldAddress(xml: string): boolean {
  return xml.includes('HYPERLINK') && splitLinks(xml, new Map()).some((piece) => typeof piece !== 'string');
}
