import type { XmlNode } from './xml/xml-node.ts';

/**
 * The XPath of an element, such as `/ubl:Invoice/cac:InvoiceLine[2]`. A position is added only where several siblings
 * have the same name.
 */
export function locationOf(element: XmlNode): string {
  const { parent } = element;
  if (parent === undefined) return '';
  const sameName = parent.children.filter(({ name }) => name === element.name);
  const position = sameName.length > 1 ? `[${sameName.indexOf(element) + 1}]` : '';
  return `${locationOf(parent)}/${element.name}${position}`;
}
