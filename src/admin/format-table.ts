const maxCellChars = 60;

/** Formats a result for people: lines of names and values, and a table for each list of objects. Programs read JSON. */
export function formatResult(result: object): string {
  const entries = Object.entries(toPlain(result)).filter(([, value]) => value !== undefined);
  const tables = entries.filter(([, value]) => isTable(value));
  const others = entries.filter(([, value]) => !isTable(value));
  const width = Math.max(0, ...others.map(([name]) => name.length));
  const lines = others.map(([name, value]) => `${name.padEnd(width)}  ${cellOf(value)}`.trimEnd());
  const blocks = tables.map(([name, rows]) => formatTable(name, rows as readonly Row[]));
  return [...(lines.length > 0 ? [lines.join('\n')] : []), ...blocks].join('\n\n');
}

type Row = Readonly<Record<string, unknown>>;

/** The result as plain JSON values, without dates or other classes. */
const toPlain = (result: object): Row => JSON.parse(JSON.stringify(result)) as Row;

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTable = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isRow);

function formatTable(name: string, rows: readonly Row[]): string {
  const flat = rows.map((row) => new Map(flatten(row, '')));
  const columns = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const cells = flat.map((row) => columns.map((column) => cellOf(row.get(column)).slice(0, maxCellChars)));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [`${name}:`, line(columns), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}

/** Flattens nested objects: `{ a: { b: 1 } }` has the column `a.b`. */
function flatten(row: Row, prefix: string): (readonly [string, unknown])[] {
  return Object.entries(row).flatMap(([name, value]) =>
    isRow(value) ? flatten(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value] as const],
  );
}

/** Removes control and bidirectional characters, which names may contain and a terminal would interpret. */
function cellOf(value: unknown): string {
  const text = value === null || value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
}
