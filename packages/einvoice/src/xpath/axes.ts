import { visit } from '../xml/visit-limit.ts';
import type { XmlDocument, XmlNode } from '../xml/xml-node.ts';

/** What a step selects: a name, all names (`*`), the names of a namespace (`ram:*`), or all nodes. */
export type NodeTest = string;

/** The axes that the rules use, as functions of one node. */
const axes = {
  child: (node: XmlNode) => node.children,
  attribute: (node: XmlNode) => node.attributes,
  self: (node: XmlNode) => [node],
  parent: (node: XmlNode) => (node.parent === undefined ? [] : [node.parent]),
  ancestor: (node: XmlNode) => ancestorsOf(node),
  'preceding-sibling': (node: XmlNode) =>
    node.kind === 'attribute' ? [] : (node.parent?.children ?? []).filter(({ order }) => order < node.order),
  'descendant-or-self': (node: XmlNode) => [node, ...descendantsOf(node)],
} as const;

export type Axis = keyof typeof axes;

/** Whether an element has a child element with this name. */
export function has(node: XmlNode, name: string): boolean {
  return node.childrenNamed(name).length > 0;
}

/** The child elements with this name. */
export function child(node: XmlNode, name: string): readonly XmlNode[] {
  return node.childrenNamed(name);
}

/** The child elements with this name of all given elements. */
export function children(nodes: readonly XmlNode[], name: string): readonly XmlNode[] {
  const [first] = nodes;
  if (first === undefined) return nodes;
  if (nodes.length === 1) return child(first, name);
  return inOrder(nodes.flatMap((node) => child(node, name)));
}

export function attribute(nodes: readonly XmlNode[], name: string): readonly XmlNode[] {
  const [first] = nodes;
  if (first !== undefined && nodes.length === 1) return named(first.attributes, name);
  return nodes.flatMap((node) => named(node.attributes, name));
}

function named(nodes: readonly XmlNode[], name: string): readonly XmlNode[] {
  visit(nodes.length + 1);
  const found: XmlNode[] = [];
  for (const node of nodes) if (node.name === name) found.push(node);
  return found;
}

/** Takes one step from each of the nodes. */
export function step(nodes: readonly XmlNode[], axis: Axis, test: NodeTest): readonly XmlNode[] {
  const found: XmlNode[] = [];
  for (const node of nodes) {
    const reached = axes[axis](node);
    visit(reached.length + 1);
    for (const each of reached) if (passes(each, test)) found.push(each);
  }
  return inOrder(found);
}

/** The elements with this name that end before the node begins. */
export function preceding(nodes: readonly XmlNode[], name: string, document: XmlDocument): readonly XmlNode[] {
  const found = nodes.flatMap((node) => {
    const around = new Set(ancestorsOf(node));
    const named = document.named(name);
    return named.filter((each) => each.order < node.order && !around.has(each));
  });
  return inOrder(found);
}

/** The union of nodes, each once and in document order. */
export function inOrder(nodes: readonly XmlNode[]): readonly XmlNode[] {
  let last = -1;
  for (const { order } of nodes) {
    if (order <= last) return [...new Set(nodes)].sort((one, other) => one.order - other.order);
    last = order;
  }
  return nodes;
}

export function union(left: readonly XmlNode[], right: readonly XmlNode[]): readonly XmlNode[] {
  return inOrder([...left, ...right]);
}

/** Whether a step selects the node. */
export function passes(node: XmlNode, test: NodeTest): boolean {
  if (test === 'node()') return true;
  if (test === 'text()') return node.kind === 'text';
  if (node.kind === 'text' || node.kind === 'document') return false;
  if (test === '*') return true;
  return test.endsWith(':*') ? node.name.startsWith(test.slice(0, -1)) : node.name === test;
}

function ancestorsOf(node: XmlNode): XmlNode[] {
  const found: XmlNode[] = [];
  for (let above = node.parent; above !== undefined; above = above.parent) found.push(above);
  return found.reverse();
}

function descendantsOf(node: XmlNode, found: XmlNode[] = []): XmlNode[] {
  visit(node.children.length);
  for (const each of node.children) {
    found.push(each);
    descendantsOf(each, found);
  }
  return found;
}

/** The item at a position, from 1. */
export function at<T>(items: readonly T[], position: number): readonly T[] {
  const item = items[position - 1];
  return item === undefined ? [] : [item];
}
