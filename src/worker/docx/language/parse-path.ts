import { type Expression, joinPath, type Scope } from './scope.ts';

const current: Expression = {
  evaluate: (scope) => scope.value,
  locate: (scope) => scope.path,
};

/**
 * The path language: `.` is the current item; any other text is looked up level by level from the current item outwards,
 * in each level first as one key, then as a dotted path. A key that is present ends the search, even when it holds null.
 */
export function parsePath(text: string): Expression {
  if (text === '.') return current;
  const segments = text.split('.');
  const isDotted = segments.length > 1 && segments.every((segment) => segment !== '');
  const find = (value: unknown): unknown => {
    const literal = own(value, text);
    return literal === undefined && isDotted ? follow(value, segments) : literal;
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
      const isLiteral = !isDotted || own(level.value, text) !== undefined;
      return isLiteral ? joinPath(level.path, text) : segments.reduce(joinPath, level.path);
    },
  };
}

function follow(value: unknown, segments: readonly string[]): unknown {
  let here = value;
  for (const segment of segments) {
    here = own(here, segment);
    if (here === undefined) return undefined;
  }
  return here;
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
