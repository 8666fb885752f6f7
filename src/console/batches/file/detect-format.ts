import { createCsvScanner } from './csv-scanner.ts';
import type { FileFormat, FileKind } from './read-rows.ts';
import { type Encoding, readText } from './read-text.ts';

export const delimiters = [',', ';', '\t'] as const;

const headLength = 100_000;
const comparedRows = 50;

/** Detects the format of a file by its name, or else by its first character, and for CSV the delimiter. */
export async function detectFormat(file: File, encoding: Encoding): Promise<FileFormat> {
  let head = '';
  for await (const { text } of readText(file, encoding)) {
    head += text;
    if (head.length >= headLength) break;
  }
  const kind = kindOf(file.name, head.trimStart());
  return { kind, encoding, delimiter: kind === 'csv' ? detectDelimiter(head) : ',' };
}

function kindOf(name: string, head: string): FileKind {
  // Some programs write NDJSON into .json files.
  if (/\.json$/i.test(name)) return head.startsWith('{') ? 'ndjson' : 'json';
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson';
  if (/\.(csv|tsv|txt)$/i.test(name)) return 'csv';
  if (head.startsWith('[')) return 'json';
  return head.startsWith('{') ? 'ndjson' : 'csv';
}

/** The delimiter that splits the header into the most columns and the rows below into as many; a comma if none does. */
function detectDelimiter(head: string): string {
  const scores = delimiters.map((delimiter) => ({ delimiter, score: scoreOf(head, delimiter) }));
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

function scoreOf(head: string, delimiter: string): number {
  try {
    const counts = createCsvScanner(delimiter)
      .feed(`${head}\n`)
      .slice(0, comparedRows)
      .map(({ fields }) => fields?.length ?? 0);
    const columns = counts[0] ?? 0;
    return columns > 1 ? columns * (counts.filter((count) => count === columns).length / counts.length) : 0;
  } catch {
    // Read with another delimiter, a quote may be misplaced.
    return 0;
  }
}
