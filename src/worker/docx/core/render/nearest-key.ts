import { nearestName } from '../../language/edit-distance.ts';
import { own } from '../../language/parse-path.ts';
import { joinPath, type Scope } from '../../language/scope.ts';

const mostKeys = 200;
const longestKey = 40;

/** The path in the data that a name which is missing was likely meant for: a slip of the keyboard, or other capitals. */
export function nearestKey(segments: readonly string[], scope: Scope): string | undefined {
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
    const found = nearestIn(level.value, level.path, segments);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nearestIn(value: unknown, start: string, segments: readonly string[]): string | undefined {
  let here = value;
  let path = start;
  let isOther = false;
  for (const segment of segments) {
    const key = own(here, segment) === undefined ? nearestOf(here, segment) : segment;
    if (key === undefined) break;
    isOther ||= key !== segment;
    here = own(here, key);
    path = joinPath(path, key);
  }
  return isOther ? path : undefined;
}

function nearestOf(value: unknown, segment: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || segment.length > longestKey)
    return undefined;
  const keys: string[] = [];
  for (const key in value) if (keys.push(key) >= mostKeys) break;
  return nearestName(segment, keys);
}
