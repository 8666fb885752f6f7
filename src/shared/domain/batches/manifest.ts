import { createFileNamer } from './file-names.ts';
import type { BundleRow } from './list-rows.ts';

/** One row of a manifest. Absent fields are unknown or do not apply. */
export interface ManifestEntry {
  readonly row: number;
  /** The file name, as in the zip. */
  readonly file?: string;
  readonly status: string;
  /** SHA-256 of the file, hex. */
  readonly checksum?: string;
  /** In bytes. */
  readonly size?: number;
  readonly pages?: number;
  readonly error?: string;
  readonly jobId: string;
}

const columns = ['row', 'file', 'status', 'checksum', 'size', 'pages', 'error', 'jobId'] as const;
const rowsPerChunk = 200;

/** The manifest of a batch, from all its rows in order. */
export async function* toManifest(rows: AsyncIterable<BundleRow>): AsyncGenerator<ManifestEntry> {
  const nameOf = createFileNamer();
  for await (const row of rows) {
    const { checksum, sizeBytes, pages, error } = row;
    const hasFile = row.status === 'succeeded';
    yield {
      row: row.row,
      ...(hasFile && { file: nameOf(row) }),
      status: row.status,
      ...(hasFile && checksum !== undefined && { checksum }),
      ...(hasFile && sizeBytes !== undefined && { size: sizeBytes }),
      ...(hasFile && pages !== undefined && { pages }),
      ...(error !== undefined && { error: error.message }),
      jobId: row.documentId,
    };
  }
}

/** As CSV (RFC 4180) with a header line, in chunks of UTF-8. */
export function manifestCsv(entries: AsyncIterable<ManifestEntry>): AsyncGenerator<Uint8Array> {
  return inChunks(entries, {
    head: csvLine(columns),
    item: (entry) => csvLine(columns.map((column) => entry[column] ?? '')),
    tail: '',
  });
}

/** As one JSON array, in chunks of UTF-8. */
export function manifestJson(entries: AsyncIterable<ManifestEntry>): AsyncGenerator<Uint8Array> {
  return inChunks(entries, {
    head: '[',
    item: (entry, index) => `${index === 0 ? '' : ','}\n${JSON.stringify(entry)}`,
    tail: '\n]\n',
  });
}

interface Layout {
  readonly head: string;
  readonly item: (entry: ManifestEntry, index: number) => string;
  readonly tail: string;
}

async function* inChunks(entries: AsyncIterable<ManifestEntry>, layout: Layout): AsyncGenerator<Uint8Array> {
  let text = layout.head;
  let index = 0;
  for await (const entry of entries) {
    text += layout.item(entry, index);
    index += 1;
    if (index % rowsPerChunk !== 0) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text + layout.tail);
}

function csvLine(values: readonly (string | number)[]): string {
  return `${values.map((value) => csvField(typeof value === 'number' ? String(value) : withoutFormula(value))).join(',')}\r\n`;
}

/** Adds an apostrophe so that spreadsheets do not run a name chosen by a client as a formula (CWE-1236). */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
