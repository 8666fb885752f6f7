import { isObject } from '../../json-editor/is-object.ts';

/**
 * Merges example data so that it has the fields of both versions; pages then differ where the templates do, not where
 * their examples do. Values of `first` win; lists are merged element by element.
 */
export function mergeExamples(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) {
    const length = Math.max(first.length, second.length);
    return Array.from({ length }, (_, index) => {
      if (index >= first.length) return second[index];
      return index < second.length ? mergeExamples(first[index], second[index]) : first[index];
    });
  }
  if (isObject(first) && isObject(second)) {
    const names = new Set([...Object.keys(first), ...Object.keys(second)]);
    return Object.fromEntries(
      [...names].map((name) => {
        if (!Object.hasOwn(first, name)) return [name, second[name]];
        return [name, Object.hasOwn(second, name) ? mergeExamples(first[name], second[name]) : first[name]];
      }),
    );
  }
  return first;
}
