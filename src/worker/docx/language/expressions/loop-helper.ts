import { parsePath } from '../parse-path.ts';
import type { Expression, ListPlace, Scope } from '../scope.ts';

const helpers: Readonly<Record<string, (place: ListPlace) => number | boolean>> = {
  $index: ({ index }) => index,
  $number: ({ index }) => index + 1,
  $first: ({ index }) => index === 0,
  $last: ({ index, count }) => index === count - 1,
  $count: ({ count }) => count,
};

export function isLoopHelper(name: string): boolean {
  return Object.hasOwn(helpers, name);
}

/** A name, or, inside a list, what `$index` and its like tell of the innermost one. */
export function parseName(name: string): Expression {
  const path = parsePath(name);
  const helper = isLoopHelper(name) ? helpers[name] : undefined;
  if (helper === undefined) return path;
  return {
    evaluate: (scope) => {
      const place = innermostPlace(scope);
      return place === undefined ? path.evaluate(scope) : helper(place);
    },
    locate: (scope) => path.locate(scope),
    uses: (kind) => path.uses(kind),
  };
}

function innermostPlace(scope: Scope): ListPlace | undefined {
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent) {
    if (level.place !== undefined) return level.place;
  }
  return undefined;
}
