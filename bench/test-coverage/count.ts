/** The coverage of one file in a test run, in Istanbul's format. */
export interface FileCoverage {
  readonly statementMap: Readonly<Record<string, { readonly start: { readonly line: number } }>>;
  /** How often each statement ran. */
  readonly s: Readonly<Record<string, number>>;
  /** How often each arm of each branch ran. */
  readonly b: Readonly<Record<string, readonly number[]>>;
}

export interface Share {
  readonly covered: number;
  readonly total: number;
}

export interface Shares {
  readonly lines: Share;
  readonly branches: Share;
}

const share = (hits: readonly number[]): Share => ({
  covered: hits.filter((count) => count > 0).length,
  total: hits.length,
});

/** A line counts if a statement starts on it, and is covered if one of those statements ran. */
export function shareOf({ statementMap, s, b }: FileCoverage): Shares {
  const lines = new Map<number, number>();
  for (const [id, { start }] of Object.entries(statementMap)) {
    lines.set(start.line, (lines.get(start.line) ?? 0) + (s[id] ?? 0));
  }
  return { lines: share([...lines.values()]), branches: share(Object.values(b).flat()) };
}

export function sum(all: readonly Shares[]): Shares {
  const add = (shares: readonly Share[]): Share => ({
    covered: shares.reduce((total, { covered }) => total + covered, 0),
    total: shares.reduce((whole, { total }) => whole + total, 0),
  });
  return { lines: add(all.map(({ lines }) => lines)), branches: add(all.map(({ branches }) => branches)) };
}

type Report = Readonly<Record<string, FileCoverage>>;

/** Combines several runs on the same source. */
export function merge(reports: readonly Report[]): Report {
  const files = [...new Set(reports.flatMap(Object.keys))];
  return Object.fromEntries(files.map((file) => [file, reports.flatMap((report) => report[file] ?? []).reduce(add)]));
}

function add(one: FileCoverage, other: FileCoverage): FileCoverage {
  const s = Object.fromEntries(Object.entries(one.s).map(([id, count]) => [id, count + (other.s[id] ?? 0)]));
  const b = Object.fromEntries(
    Object.entries(one.b).map(([id, counts]) => [id, counts.map((count, side) => count + (other.b[id]?.[side] ?? 0))]),
  );
  return { ...one, s, b };
}
