import type { Document, Element, Node } from '@xmldom/xmldom';
import { isElement } from './paragraphs.ts';

/** The elements whose `descr` attribute holds the alternative text of a picture. */
export function pictureProperties(document: Document): readonly Element[] {
  const found: Element[] = [];
  const visit = (node: Node): void => {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (!isElement(child)) continue;
      if (child.nodeName === 'wp:docPr' && child.parentNode !== null && hasPicture(child.parentNode)) found.push(child);
      visit(child);
    }
  };
  visit(document);
  return found;
}

function hasPicture(node: Node): boolean {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (isElement(child) && (child.nodeName === 'pic:pic' || hasPicture(child))) return true;
  }
  return false;
}
