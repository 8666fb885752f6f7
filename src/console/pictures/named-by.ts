import { isObject } from '../json-editor/is-object.ts';

/** The names of the data that refers to a picture, by its name or its id. */
export function namedBy(
  { id, name }: { readonly id: string; readonly name: string },
  kept: readonly { readonly name: string; readonly text: string }[],
): readonly string[] {
  const refers = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(refers);
    return isObject(value) && (value.asset === id || value.asset === name || Object.values(value).some(refers));
  };
  return kept.filter(({ text }) => refers(JSON.parse(text))).map((data) => data.name);
}
