import type { RowPlan } from '../mapping/row-plan.ts';
import { keyOf, type Path, parsePath } from '../path.ts';

const placeholder = /\{([^{}]{1,200})\}/g;

/** The placeholders of a file name, an address or a subject for which no row can have a value: `{nummer}`. */
export function unknownPlaceholders(text: string, { file, writes, removals }: RowPlan): readonly string[] {
  const ofFile =
    file.format.kind === 'csv' ? [] : file.columns.flatMap(({ path }) => (path === undefined ? [] : [path]));
  const removed = new Set(removals.map(keyOf));
  const known = [...ofFile.filter((path) => !removed.has(keyOf(path))), ...writes.map(({ path }) => path)];
  const found = [...text.matchAll(placeholder)].filter(([, name = '']) => {
    const path = parsePath(name.trim());
    // Below a column of a JSON file there may be a list with other values.
    return path === undefined || !known.some((one) => startsWith(path, one));
  });
  return [...new Set(found.map(([whole]) => whole))];
}

const startsWith = (path: Path, start: Path): boolean => start.every((key, at) => path[at] === key);
