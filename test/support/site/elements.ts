import { readFileSync } from 'node:fs';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

/** The elements of an HTML file, in its order. */
export function elementsOf(file: string): readonly Element[] {
  return within(parse(readFileSync(file, 'utf8')));
}

export function within(node: { readonly childNodes: readonly Node[] }): readonly Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...within(child)] : []));
}

export function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}
