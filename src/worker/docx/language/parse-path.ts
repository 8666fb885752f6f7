import { hasOwn } from '../../../shared/json.ts';
import { type Expression, joinPath, type ListPosition, type Scope } from './scope.ts';

const current: Expression = {
  evaluate: (scope) => scope.value,
  locate: (scope) => scope.path,
  uses: (kind) => [{ segments: ['.'], kind }],
};

/**
 * Parses a path. `.` is the current item. Any other text is looked up level by level from the current item outwards, in each
 * level first as one key, then as a dotted path. A key that exists ends the search, even if its value is null.
 */
export function parsePath(text: string): Expression {
  if (text === '.') return current;
  const segments = text.split('.');
  const isDotted = segments.length > 1 && segments.every((segment) => segment !== '');
  return isDotted ? pathTo(segments, text) : pathTo([text]);
}

/** Looks up a path of known keys. `literal` is a single key that takes precedence in each level. */
export function pathTo(segments: readonly string[], literal?: string): Expression {
  const [first = ''] = segments;
  const isDotted = segments.length > 1;
  const key = isDotted ? literal : first;
  const find = (value: unknown): unknown => {
    const found = key === undefined ? undefined : own(value, key);
    return found === undefined && isDotted ? follow(value, segments) : found;
  };
  const findLevel = (scope: Scope): Scope | undefined => {
    let level: Scope | undefined = scope;
    while (level !== undefined && find(level.value) === undefined) level = level.parent;
    return level;
  };
  return {
    evaluate: (scope) => {
      for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
        const found = find(level.value);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    locate: (scope) => {
      const level = findLevel(scope) ?? scope;
      const isLiteral = isDotted && literal !== undefined && own(level.value, literal) !== undefined;
      return isLiteral ? joinPath(level.path, literal) : segments.reduce(joinPath, level.path);
    },
    uses: (kind) => [{ segments, kind }],
  };
}

/** Looks up a name in one value: as one key, then as a dotted path; `.` is the value itself. */
export function lookIn(value: unknown, name: string): unknown {
  if (name === '.') return value;
  const found = own(value, name);
  return found === undefined && name.includes('.') ? follow(value, name.split('.')) : found;
}

function follow(value: unknown, segments: readonly string[]): unknown {
  let here = value;
  for (const segment of segments) {
    here = own(here, segment);
    if (here === undefined) return undefined;
  }
  return here;
}

/** The value of an own key; ignores inherited properties and `length`. */
export function own(value: unknown, key: string): unknown {
  if (!hasOwn(value, key)) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
  return value[key];
}

const helpers: Readonly<Record<string, (position: ListPosition) => number | boolean>> = {
  $index: ({ index }) => index,
  $number: ({ index }) => index + 1,
  $first: ({ index }) => index === 0,
  $last: ({ index, count }) => index === count - 1,
  $count: ({ count }) => count,
};

export function isLoopHelper(name: string): boolean {
  return Object.hasOwn(helpers, name);
}

/** Parses a name. Inside a list, `$index` and similar names are helpers of the innermost list. */
export function parseName(name: string): Expression {
  const path = parsePath(name);
  const helper = isLoopHelper(name) ? helpers[name] : undefined;
  if (helper === undefined) return path;
  return {
    evaluate: (scope) => {
      const position = scope.listItem?.position;
      return position === undefined ? path.evaluate(scope) : helper(position);
    },
    locate: (scope) => path.locate(scope),
    uses: (kind) => path.uses(kind),
  };
}
