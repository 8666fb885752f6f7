import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';

/** The longest row; matches the service's limit for data. */
const maxRowBytes = 10 * 1024 * 1024;

const [quote, backslash, comma, newline] = [0x22, 0x5c, 0x2c, 0x0a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** A byte order mark. */
const markBytes: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

type Place = 'before' | 'inside' | 'after';
type Chunks = AsyncIterable<Uint8Array>;

/**
 * Yields the elements of a JSON array as written: numbers keep their digits, and at most one element is in memory.
 * `source` names the file in errors. Throws `usage` with the number of the invalid element.
 */
export async function* readElements(chunks: Chunks, source: string): AsyncGenerator<string> {
  const element = collectBytes(source);
  let place: Place = 'before' as Place;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  for await (const chunk of chunks) {
    let start = 0;
    for (const [index, byte] of chunk.entries()) {
      if (place !== 'inside') {
        if (blanks.has(byte) || (place === 'before' && markBytes.has(byte))) continue;
        if (place === 'after' || byte !== openBracket) throw notAnArray(source);
        place = 'inside';
        start = index + 1;
      } else if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isText = false;
      } else if (byte === quote) isText = true;
      else if (byte === openBrace || byte === openBracket) depth += 1;
      else if (depth > 0 && (byte === closeBrace || byte === closeBracket)) depth -= 1;
      else if (depth === 0 && (byte === comma || byte === closeBracket)) {
        element.add(chunk.subarray(start, index));
        start = index + 1;
        const isEnd = byte === closeBracket;
        const text = element.take();
        if (text !== '' || !isEnd || element.count() > 1) yield checkJson(text, element.count(), source);
        if (isEnd) place = 'after';
      }
    }
    if (place === 'inside') element.add(chunk.subarray(start));
  }
  if (place !== 'after') throw new CliError(exitCodes.usage, `${source} is not complete: the closing ] is missing.`);
}

/** Yields the non-empty lines of an NDJSON file as written. Throws like `readElements`. */
export async function* readJsonLines(chunks: Chunks, source: string): AsyncGenerator<string> {
  const line = collectBytes(source);
  let row = 0;
  const check = (text: string) => {
    row += 1;
    return checkJson(text, row, source);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      line.add(chunk.subarray(start, end));
      start = end + 1;
      const text = line.take();
      if (text !== '') yield check(text);
    }
    line.add(chunk.subarray(start));
  }
  const last = line.take();
  if (last !== '') yield check(last);
}

/** Collects the bytes of one row, up to the limit. */
function collectBytes(source: string) {
  let parts: Uint8Array[] = [];
  let length = 0;
  let count = 0;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return {
    add(bytes: Uint8Array): void {
      length += bytes.length;
      if (length > maxRowBytes) throw rowError(source, count + 1, `is longer than ${maxRowBytes / 1024 / 1024} MB`);
      // Copied, because the buffer of the chunk is reused.
      if (bytes.length > 0) parts.push(Uint8Array.from(bytes));
    },
    /** The text since the last call, trimmed. */
    take(): string {
      count += 1;
      const bytes = Buffer.concat(parts);
      parts = [];
      length = 0;
      try {
        return decoder.decode(bytes).trim();
      } catch {
        throw rowError(source, count, 'is not valid UTF-8');
      }
    },
    count: () => count,
  };
}

function checkJson(text: string, row: number, source: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw rowError(source, row, `is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function rowError(source: string, row: number, problem: string): CliError {
  return new CliError(exitCodes.usage, `${source}: row ${row} ${problem}.`);
}

function notAnArray(source: string): CliError {
  const hint =
    'Write [{"name": "Ada"}, {"name": "Grace"}], or one object a line in a file whose name ends with .ndjson.';
  return new CliError(exitCodes.usage, `${source} is not one JSON array.`, hint);
}
