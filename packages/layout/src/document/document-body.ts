import type { WordPackage } from '@docmill/word/word-package';
import { UnknownFeature } from '../unknown-feature.ts';
import { type Attempt, nothing } from './attempt.ts';
import { keptElements } from './kept-elements.ts';
import { parseElement } from './parse-element.ts';
import { childOf, type XmlElement } from './xml-element.ts';

/**
 * The body of a document (ECMA-376 part 1, 17.2.2). Throws UnknownFeature if the body is missing or the document has a
 * background.
 */
export function readBody(source: WordPackage, attempt: Attempt): XmlElement {
  const main = source.readText(source.mainPart);
  const root = main === undefined ? undefined : parseElement(main, undefined, keptElements);
  const body = root && childOf(root, 'w:body');
  if (body === undefined) throw new UnknownFeature('a document without a body');
  attempt(() => requireNoBackground(root), nothing);
  return body;
}

function requireNoBackground(root: XmlElement | undefined): void {
  if (root !== undefined && childOf(root, 'w:background') !== undefined) throw new UnknownFeature('w:background');
}

/** The section that ends with a child of the body (17.6.17, 17.6.18). */
export function sectionEndingWith(element: XmlElement): XmlElement | undefined {
  if (element.name === 'w:sectPr') return element;
  const properties = childOf(element, 'w:pPr');
  return properties && childOf(properties, 'w:sectPr');
}
