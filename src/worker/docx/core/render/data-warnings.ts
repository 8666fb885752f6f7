import { nearestName } from '../../language/edit-distance.ts';
import { foldedKey } from '../../language/field-path.ts';
import { own } from '../../language/parse-path.ts';
import { type Expression, joinPath, type Scope } from '../../language/scope.ts';
import { docxLimits } from '../../limits.ts';
import type { AskingNode } from '../value-node.ts';
import type { Warning } from '../warning.ts';
import { shortList } from './short-list.ts';

interface MissingPath {
  readonly path: string;
  /** A similar key of the data, if the name looks like a typo. */
  readonly nearest: string | undefined;
}

const mostNearest = 10;
/** Maximum length of a path in a message. */
const longestName = 200;

/** Counts the values that tags look up and the data lacks; keeps the first paths. */
export class MissingValues {
  readonly #paths = new Map<string, MissingPath>();
  #count = 0;

  /** Returns the paths that are missing; none once the limit of details is reached. */
  add({ expression }: AskingNode, scope: Scope): readonly MissingPath[] {
    this.#count++;
    if (this.#paths.size >= docxLimits.errorDetails) return [];
    const missing = expression.missing?.(scope) ?? [expression.locate(scope)];
    const paths = missing.slice(0, docxLimits.errorDetails - this.#paths.size);
    return paths.map((path) => {
      const known = this.#paths.get(path);
      if (known !== undefined) return known;
      const nearest = this.#paths.size < mostNearest ? nearestTo(path, expression, scope) : undefined;
      const found = { path, nearest };
      this.#paths.set(path, found);
      return found;
    });
  }

  warnings(): Warning[] {
    const paths = [...this.#paths.keys()];
    if (paths.length === 0) return [];
    const are = this.#count === 1 ? '1 value is' : `${this.#count} values are`;
    const message = `${are} missing: ${shortList([...this.#paths.values()].map(withNearest), longestName)}.`;
    return [{ code: 'missing_value', message, paths, count: this.#count }];
  }
}

function nearestTo(path: string, expression: Expression, scope: Scope): string | undefined {
  const use = expression.uses('print').find(({ segments }) => segments.reduce(joinPath, scope.path) === path);
  return use === undefined ? undefined : nearestKey(use.segments, scope);
}

function withNearest({ path, nearest }: MissingPath): string {
  return nearest === undefined ? path : `${path} (the data has ${nearest})`;
}

const mostKeys = 200;
const longestKey = 40;

/** The data path that a missing name was likely meant for: a typo or different capitalization. */
function nearestKey(segments: readonly string[], scope: Scope): string | undefined {
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

/** A warning about the top-level keys of `data` that no tag reads, nor anything else. */
export function unusedData(data: unknown, names: ReadonlySet<string>, elsewhere: readonly string[] = []): Warning[] {
  if (typeof data !== 'object' || data === null) return [];
  const others = new Set(elsewhere);
  const unused = Object.keys(data).filter((key) => !names.has(key) && !names.has(foldedKey(key)) && !others.has(key));
  if (unused.length === 0) return [];
  const paths = unused.slice(0, docxLimits.errorDetails).map((key) => joinPath('data', key));
  const keys = unused.length === 1 ? '1 key of the data is' : `${unused.length} keys of the data are`;
  const message = `${keys} not used by the template: ${shortList(paths, longestName)}.`;
  return [{ code: 'unused_data', message, paths, count: unused.length }];
}
