import type { Difference } from './comparison.ts';
import type { Bookmark } from './read-outline.ts';

/** Same tolerance as for characters. */
const maxMovePt = 0.75;

/** Compares two outlines. Each entry needs the same title, level, page and position on the page. */
export function compareOutlines(before: readonly Bookmark[], after: readonly Bookmark[]): Difference | undefined {
  const index = Array.from({ length: Math.max(before.length, after.length) }).findIndex(
    (_, at) => !isSame(before[at], after[at]),
  );
  if (index === -1) return undefined;
  const page = before[index]?.page ?? after[index]?.page ?? 1;
  const counts = before.length === after.length ? '' : `, ${after.length} instead of ${before.length} entries`;
  return { measure: 'outline', page: Math.max(1, page), message: `entry ${index + 1}${counts}` };
}

function isSame(one: Bookmark | undefined, other: Bookmark | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const isAlike = one.depth === other.depth && one.title === other.title && one.page === other.page;
  return isAlike && isNear(one.x, other.x) && isNear(one.y, other.y);
}

/** NaN means that there is no position. */
function isNear(one: number, other: number): boolean {
  return Object.is(one, other) || Math.abs(one - other) <= maxMovePt;
}
