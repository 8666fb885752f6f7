import { parser } from '@lezer/json';

/** Keys and indexes from the root to a value. */
export type JsonPath = readonly (string | number)[];

export interface JsonRange {
  readonly from: number;
  readonly to: number;
}

type Tree = ReturnType<typeof parser.parse>;
export type JsonNode = Tree['topNode'];

const valueNames: ReadonlySet<string> = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

/** A JSON text with the position of every value; it may contain errors. */
export interface JsonPlaces {
  readonly text: string;
  readonly root: JsonNode | undefined;
}

export function readPlaces(text: string): JsonPlaces {
  return { text, root: firstValue(parser.parse(text).topNode) };
}

/** The value at a path; undefined if there is none. */
export function nodeAt({ text, root }: JsonPlaces, path: JsonPath): JsonNode | undefined {
  let node = root;
  for (const key of path) {
    if (node === undefined) return undefined;
    node =
      typeof key === 'number' ? itemsOf(node)[key] : propertiesOf(node, text).findLast((one) => one.key === key)?.value;
  }
  return node;
}

/** The position of the value at a path, or of the closest existing value around it. */
export function placeOf(places: JsonPlaces, path: JsonPath): JsonRange {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = nodeAt(places, path.slice(0, length));
    // Marks only the first line of an object.
    if (node !== undefined) return length === path.length ? shorten(node, places.text) : openingOf(node);
  }
  return { from: 0, to: Math.min(1, places.text.length) };
}

/** The path to the innermost value, or property, around an offset. */
export function pathAt(text: string, node: JsonNode): JsonPath {
  const path: (string | number)[] = [];
  for (let at: JsonNode | null = node; at !== null; at = at.parent) {
    if (at.name === 'Property') {
      const name = at.getChild('PropertyName');
      if (name !== null) path.unshift(keyOf(name, text));
    } else if (at.parent?.name === 'Array' && valueNames.has(at.name)) {
      path.unshift(itemsOf(at.parent).findIndex(({ from }) => from === at?.from));
    }
  }
  return path;
}

export function itemsOf(node: JsonNode): JsonNode[] {
  return node.name === 'Array' ? childrenOf(node).filter(({ name }) => valueNames.has(name)) : [];
}

export interface JsonProperty {
  readonly key: string;
  readonly node: JsonNode;
  readonly value: JsonNode | undefined;
}

export function propertiesOf(node: JsonNode, text: string): JsonProperty[] {
  if (node.name !== 'Object') return [];
  return childrenOf(node).flatMap((property) => {
    const name = property.getChild('PropertyName');
    if (property.name !== 'Property' || name === null) return [];
    return [{ key: keyOf(name, text), node: property, value: firstValue(property) }];
  });
}

function childrenOf(node: JsonNode): JsonNode[] {
  const children: JsonNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function firstValue(node: JsonNode): JsonNode | undefined {
  return childrenOf(node).find(({ name }) => valueNames.has(name));
}

function keyOf({ from, to }: JsonRange, text: string): string {
  try {
    return String(JSON.parse(text.slice(from, to)));
  } catch {
    return text.slice(from + 1, to - 1);
  }
}

function shorten({ from, to }: JsonRange, text: string): JsonRange {
  const lineEnd = text.indexOf('\n', from);
  return { from, to: lineEnd === -1 ? to : Math.max(from + 1, Math.min(to, lineEnd)) };
}

function openingOf({ from }: JsonRange): JsonRange {
  return { from, to: from + 1 };
}
