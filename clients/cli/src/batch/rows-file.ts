import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BatchFile } from '@docmill/client';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { isRecord } from '../json-value.ts';
import { readElements, readJsonLines } from './json-elements.ts';

export const rowFormats = ['csv', 'ndjson', 'json'] as const;
type RowFormat = (typeof rowFormats)[number];

/** The service's limits for one batch. */
const maxBytes = 1_000_000_000;

const formatsByExtension: Readonly<Record<string, RowFormat>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** The rows of a batch as a file that can be sent repeatedly. */
export interface RowsFile {
  /** The file name as given, for messages. */
  readonly name: string;
  readonly input: BatchFile;
  /** SHA-256 of the bytes sent, in hex. */
  readonly checksum: string;
  /** Deletes temporary files. */
  close(): Promise<void>;
}

export interface RowsOptions {
  /** Whether the options of the batch concern columns of CSV. */
  readonly needsCsv: boolean;
  readonly stdin: Readable;
  /** Default: detected from the file name or the first character. */
  readonly format: RowFormat | undefined;
  /** Whether the options of the batch require rows as JSON items. */
  readonly needsItems: boolean;
  readonly signal: AbortSignal;
}

/**
 * Opens a CSV, NDJSON or JSON file; `-` is standard input. CSV and NDJSON are sent unchanged; the elements of a JSON
 * array are wrapped as items. Throws `usage` for an invalid file.
 */
export async function openRows(file: string, options: RowsOptions): Promise<RowsFile> {
  const name = file === '-' ? 'Standard input' : file;
  const folder = await mkdtemp(join(tmpdir(), 'docmill-rows-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const source = file === '-' ? join(folder, 'stdin') : file;
    if (file === '-') await copyInput(options.stdin, source, options.signal);
    const { size } = await stat(source);
    if (size > maxBytes) throw tooLong(name);
    if (size === 0) throw new CliError(exitCodes.usage, `${name} is empty.`);
    const format = options.format ?? formatsByExtension[extname(file).toLowerCase()] ?? (await guessFormat(source));
    if (options.needsCsv && format !== 'csv') {
      throw new CliError(exitCodes.usage, `--column-format is for rows of CSV; ${name} is ${format.toUpperCase()}.`);
    }
    const sent = await prepare(source, format, { ...options, name, folder });
    const checksum = await checksumOf(sent.path);
    const blob = await openAsBlob(sent.path);
    const inputs = { csv: { csv: blob }, ndjson: { ndjson: blob }, json: { items: blob } };
    return { name, input: inputs[sent.format], checksum, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function prepare(
  path: string,
  format: RowFormat,
  { name, folder, needsItems, signal }: RowsOptions & { readonly name: string; readonly folder: string },
): Promise<{ readonly path: string; readonly format: RowFormat }> {
  if (format !== 'json' && !needsItems) return { path, format };
  if (format === 'csv') {
    const message = 'Several recipients and options of the PDF need rows as NDJSON or JSON; the rows are CSV.';
    throw new CliError(exitCodes.usage, message, 'Convert the file, or leave these options out.');
  }
  const rows = createReadStream(path);
  const elements = format === 'json' ? readElements(rows, name) : readJsonLines(rows, name);
  const items = join(folder, 'items.json');
  const target = createWriteStream(items, { mode: 0o600, flags: 'wx' });
  await pipeline(Readable.from(writeItems(elements, format === 'json')), target, { signal });
  return { path: items, format: 'json' };
}

/**
 * Writes `[{"data":…},…]`. A JSON file may already contain items, which are objects with only `data` and `output`; its
 * first element decides.
 */
async function* writeItems(rows: AsyncIterable<string>, mayBeItems: boolean): AsyncGenerator<string> {
  let areItems: boolean | undefined;
  yield '[';
  for await (const row of rows) {
    const separator = areItems === undefined ? '' : ',';
    areItems ??= mayBeItems && isItem(JSON.parse(row));
    yield separator + (areItems ? row : `{"data":${row}}`);
  }
  yield ']';
}

function isItem(row: unknown): boolean {
  return isRecord(row) && isRecord(row.data) && Object.keys(row).every((key) => key === 'data' || key === 'output');
}

async function copyInput(stdin: Readable, path: string, signal: AbortSignal): Promise<void> {
  let length = 0;
  const bounded = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > maxBytes) throw tooLong('Standard input');
      yield chunk;
    }
  };
  await pipeline(stdin, bounded, createWriteStream(path, { mode: 0o600, flags: 'wx' }), { signal });
}

async function guessFormat(path: string): Promise<RowFormat> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1_024), 0, 1_024, 0);
    const first = buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart()[0];
    if (first === '[') return 'json';
    return first === '{' ? 'ndjson' : 'csv';
  } finally {
    await handle.close();
  }
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function tooLong(name: string): CliError {
  return new CliError(exitCodes.usage, `${name} is longer than 1 GB.`, 'Send the rows in several batches.');
}
