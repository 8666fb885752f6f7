import type { Feature, PartScan, TemplatePart } from '../../core/feature.ts';
import type { RenderState } from '../../core/render/render-state.ts';
import { keepLinkAnnotations } from './keep-link-annotations.ts';
import { writeLinkedText } from './render-link.ts';
import { type FillableAddress, scanAddresses } from './scan-addresses.ts';
import { hasFieldAddress, splitLinks } from './split-links.ts';

/** Link addresses filled from data, and linked text: `{text | link:address}`. */
export const links: Feature = {
  name: 'links',
  openPart: (part) => {
    const addresses = new Map<string, FillableAddress>();
    return {
      scan: (xml) => scanLinks(part, xml, addresses),
      readNodes: () => ({ splitText: (xml) => splitText(xml, addresses) }),
      finish: dropRelationships(addresses),
    };
  },
  withoutFilled: (xml) =>
    splitLinks(xml, new Map())
      .filter((piece) => typeof piece === 'string')
      .join(''),
  writeValue: writeLinkedText,
  prepareForConverter: keepLinkAnnotations,
};

function scanLinks({ source, name }: TemplatePart, xml: string, addresses: Map<string, FillableAddress>): PartScan {
  const { byId, faults } = scanAddresses(source, name, xml);
  for (const [id, address] of byId) addresses.set(id, address);
  const hasTags = byId.size > 0 || hasFieldAddress(xml);
  return { hasTags, elsewhere: faults, filledRelationships: new Set(byId.keys()) };
}

function splitText(xml: string, addresses: ReadonlyMap<string, FillableAddress>) {
  if (addresses.size === 0 && !xml.includes('HYPERLINK')) return undefined;
  const pieces = splitLinks(xml, addresses);
  return pieces.length === 1 && pieces[0] === xml ? undefined : pieces;
}

/** Drops the relationships whose addresses contain tags from the document. */
function dropRelationships(addresses: ReadonlyMap<string, FillableAddress>) {
  return ({ additions, partName }: RenderState) => {
    for (const id of addresses.keys()) additions.dropRelationship(partName, id);
  };
}
