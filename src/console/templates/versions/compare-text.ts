/** A piece of text of a page and its place, in points from the upper left corner. */
interface Run {
  readonly text: string;
  readonly y: number;
  readonly height: number;
}

/** What one of two versions has and the other has not. */
export interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The lines of a page: runs at nearly the same height, in the order of the file. */
export function linesOf(runs: readonly Run[]): readonly string[] {
  const lines: string[] = [];
  let last: Run | undefined;
  for (const run of runs) {
    const isSameLine = last !== undefined && Math.abs(run.y - last.y) < run.height / 2;
    if (isSameLine) lines.push(`${lines.pop() ?? ''} ${run.text}`);
    else lines.push(run.text);
    last = run;
  }
  return lines.map((line) => line.replaceAll(/\s+/g, ' ').trim());
}

/** The entries that only one of two lists has. One that occurs more often in one of them is listed as often. */
export function compareLists(before: readonly string[], after: readonly string[]): Changes {
  return { added: without(after, before), removed: without(before, after) };
}

function without(list: readonly string[], other: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const entry of other) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return list.filter((entry) => {
    const count = counts.get(entry) ?? 0;
    counts.set(entry, count - 1);
    return count <= 0;
  });
}

/** The entries of two JSON objects as text, one line for each: `path: value`. */
export function entriesOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) {
    return value === undefined || (value === null && path === '') ? [] : [`${path}: ${JSON.stringify(value)}`];
  }
  return Object.entries(value).flatMap(([name, inner]) => entriesOf(inner, path === '' ? name : `${path}.${name}`));
}
