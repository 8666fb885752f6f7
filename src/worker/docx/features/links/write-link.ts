import type { LinkNode } from './link-node.ts';

/** The XML of a link; without an address what it links stays plain. */
export function writeLink(node: LinkNode, url: string | undefined, addHyperlink: (url: string) => string): string {
  if (url === undefined) return node.withoutAddress;
  const written = node.writes === 'relationship' ? addHyperlink(url) : url.replaceAll('&', '&amp;');
  return `${node.before}${written}${node.after}`;
}
