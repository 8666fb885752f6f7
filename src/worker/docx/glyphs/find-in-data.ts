import { joinPath } from '../language/scope.ts';
import { docxLimits } from '../limits.ts';

/** The JSON paths of strings in the data that contain these characters, by character; at most fifty paths in total. */
export function findInData(data: unknown, characters: ReadonlySet<string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const pending: { readonly value: unknown; readonly path: string }[] = [{ value: data, path: 'data' }];
  let paths = 0;
  for (let next = pending.pop(); next !== undefined && paths < docxLimits.errorDetails; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') {
      const held = new Set([...value].filter((character) => characters.has(character)));
      for (const character of held) found.set(character, [...(found.get(character) ?? []), path]);
      if (held.size > 0) paths++;
    } else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value);
      for (let i = entries.length - 1; i >= 0; i--) {
        const [key, child] = entries[i] ?? [''];
        pending.push({ value: child, path: joinPath(path, key) });
      }
    }
  }
  return found;
}
