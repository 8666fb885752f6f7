import { itemsOf, type JsonNode, type JsonPath, nodeAt, propertiesOf, readPlaces } from './json-text.ts';

const step = '  ';

/**
 * Sets a value at a path of a JSON text. Everything else keeps its bytes, including white space, key order and the
 * digits of numbers. Missing objects on the way are created. Undefined removes the value.
 */
export function setInJson(text: string, path: JsonPath, value: unknown): string {
  if (value === undefined) return removeFromJson(text, path);
  const places = readPlaces(text);
  let existing = 0;
  while (existing < path.length && nodeAt(places, path.slice(0, existing + 1)) !== undefined) existing += 1;
  const node = nodeAt(places, path.slice(0, existing));
  if (node === undefined) return JSON.stringify(nest(path, value), null, step);
  const rest = path.slice(existing);
  const [key, ...deeper] = rest;
  if (key === undefined) return replace(text, node, write(value, indentOf(text, node.from)));
  const added = write(nest(deeper, value), indentOf(text, node.from) + step);
  if (node.name === 'Object' && typeof key === 'string') {
    return rebuild(text, node, [...propertiesOf(node, text).map(sourceOf(text)), `${JSON.stringify(key)}: ${added}`]);
  }
  if (node.name === 'Array' && typeof key === 'number') {
    return rebuild(text, node, [...itemsOf(node).map(source(text)), added]);
  }
  return replace(text, node, write(nest(rest, value), indentOf(text, node.from)));
}

/** Removes a property or an item; a path that does not exist changes nothing. */
export function removeFromJson(text: string, path: JsonPath): string {
  const parent = nodeAt(readPlaces(text), path.slice(0, -1));
  const key = path.at(-1);
  if (parent === undefined || key === undefined) return text;
  if (typeof key === 'number') {
    return rebuild(
      text,
      parent,
      itemsOf(parent)
        .filter((_, index) => index !== key)
        .map(source(text)),
    );
  }
  return rebuild(
    text,
    parent,
    propertiesOf(parent, text)
      .filter((property) => property.key !== key)
      .map(sourceOf(text)),
  );
}

/** Moves an item of the array at `path` to another index. */
export function moveInJson(text: string, path: JsonPath, from: number, to: number): string {
  const node = nodeAt(readPlaces(text), path);
  if (node === undefined) return text;
  const parts = itemsOf(node).map(source(text));
  const [moved] = parts.splice(from, 1);
  if (moved === undefined) return text;
  parts.splice(to, 0, moved);
  return rebuild(text, node, parts);
}

const source =
  (text: string) =>
  ({ from, to }: JsonNode): string =>
    text.slice(from, to);
const sourceOf =
  (text: string) =>
  ({ node }: { readonly node: JsonNode }): string =>
    source(text)(node);

/** Writes an object or array from parts that are already JSON, on one line if the original was. */
function rebuild(text: string, node: JsonNode, parts: readonly string[]): string {
  const [open, close] = node.name === 'Array' ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return replace(text, node, open + close);
  const before = text.slice(node.from, node.to);
  const isOneLine = !before.includes('\n') && /[^\s{}[\]]/.test(before) && parts.every((part) => !part.includes('\n'));
  if (isOneLine) return replace(text, node, `${open}${parts.join(', ')}${close}`);
  const indent = indentOf(text, node.from);
  const lines = parts.map((part) => `\n${indent}${step}${part}`);
  return replace(text, node, `${open}${lines.join(',')}\n${indent}${close}`);
}

function replace(text: string, { from, to }: { readonly from: number; readonly to: number }, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** The indentation of the line. */
function indentOf(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? '';
}

function write(value: unknown, indent: string): string {
  return JSON.stringify(value, null, step).replaceAll('\n', `\n${indent}`);
}

function nest(path: JsonPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value);
}
