import type { Element } from '@xmldom/xmldom';
import { attribute, type CheckedPackage, drawingNs, elements, word14Ns, wordNs } from './read-package.ts';

type Reader = (element: Element) => string;

/** Identifiers that must be unique in a document. */
const unique: readonly (readonly [what: string, namespace: string, name: string, read: Reader])[] = [
  ['drawing id', drawingNs, 'docPr', (element) => element.getAttribute('id') ?? ''],
  ['bookmark id', wordNs, 'bookmarkStart', (element) => attribute(element, 'id')],
  ['bookmark name', wordNs, 'bookmarkStart', (element) => attribute(element, 'name').toLowerCase()],
  ['comment id', wordNs, 'comment', (element) => attribute(element, 'id')],
  ['comment reference', wordNs, 'commentReference', (element) => attribute(element, 'id')],
  ['permission id', wordNs, 'permStart', (element) => attribute(element, 'id')],
  ['footnote id', wordNs, 'footnote', (element) => attribute(element, 'id')],
  ['endnote id', wordNs, 'endnote', (element) => attribute(element, 'id')],
  ['paragraph id', '*', '*', (element) => element.getAttributeNS(word14Ns, 'paraId') ?? ''],
  ['content control id', wordNs, 'sdtPr', controlId],
];

/** Identifiers that appear more than once, outside fallback content for older readers. */
export function repeatedIds({ parts }: CheckedPackage): string[] {
  const stories = parts.filter(({ name }) => /^word\/(?!settings\.)[^/]+$/.test(name));
  return unique.flatMap(([what, namespace, name, read]) => {
    const seen = new Set<string>();
    const problems: string[] = [];
    for (const part of stories) {
      for (const element of elements(part.document, namespace, name)) {
        const id = isInFallback(element) ? '' : read(element);
        if (id !== '' && seen.has(id)) problems.push(`${part.name}: ${what} ${id} appears twice`);
        seen.add(id);
      }
    }
    return problems;
  });
}

function controlId(properties: Element): string {
  const [id] = elements(properties, wordNs, 'id');
  return id === undefined ? '' : attribute(id, 'val');
}

function isInFallback(element: Element): boolean {
  for (let node = element.parentNode; node !== null; node = node.parentNode) {
    if (node.nodeName === 'mc:Fallback') return true;
  }
  return false;
}
