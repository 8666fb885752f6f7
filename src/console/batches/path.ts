import { isObject } from '../json-editor/is-object.ts';

/** Where a value is in the data: `customer.name` is `['customer', 'name']`, `items[0].price` is `['items', 0, 'price']`. */
export type Path = readonly (string | number)[];

const part = /^([^[\]\p{Cc}]+)((?:\[\d{1,2}\])*)$/u;
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const maxParts = 16;
const maxLength = 200;

/** Parses a column name as a path; undefined if it is not one. */
export function parsePath(name: string): Path | undefined {
  if (name.length > maxLength) return undefined;
  const path: (string | number)[] = [];
  for (const text of name.split('.')) {
    const [, key = '', indexes = ''] = part.exec(text.trim()) ?? [];
    if (key === '' || reserved.has(key)) return undefined;
    path.push(key, ...Array.from(indexes.matchAll(/\d+/g), ([digits]) => Number(digits)));
  }
  return path.length <= maxParts ? path : undefined;
}

/** Formats a path in the usual notation, such as `items[0].price`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

export const keyOf = (path: Path): string => JSON.stringify(path);

/** The value at a path; undefined if there is none. */
export function readAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

type Container = Record<string, unknown> | unknown[];

/**
 * Sets a value. Creates missing objects and lists on the way, and replaces other values there. Skipped elements stay
 * empty.
 */
export function writeAt(root: Record<string, unknown>, path: Path, value: unknown): void {
  let parent: Container = root;
  for (const [depth, key] of path.entries()) {
    const next = path[depth + 1];
    if (next === undefined) {
      writeMember(parent, key, value);
      return;
    }
    const found = readAt(parent, [key]);
    const fits = typeof next === 'number' ? Array.isArray(found) : isObject(found);
    const child: Container = fits ? (found as Container) : typeof next === 'number' ? [] : {};
    if (!fits) writeMember(parent, key, child);
    parent = child;
  }
}

function writeMember(parent: Container, key: string | number, value: unknown): void {
  if (Array.isArray(parent)) {
    while (parent.length < Number(key)) parent.push('');
    parent[Number(key)] = value;
  } else parent[key] = value;
}

/** Removes the member of an object at a path, if it exists. */
export function removeAt(root: Record<string, unknown>, path: Path): void {
  const parent = path.length > 1 ? readAt(root, path.slice(0, -1)) : root;
  if (isObject(parent)) delete parent[String(path.at(-1))];
}
