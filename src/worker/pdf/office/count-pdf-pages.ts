import { inflateSync } from 'node:zlib';

/**
 * The number of pages of a complete PDF (ISO 32000-1, 7.5 and 7.7.3): checks the header, end marker, cross-references,
 * catalogue and page tree. Undefined if the PDF is incomplete or cannot be read.
 */
export function countPdfPages(bytes: Uint8Array): number | undefined {
  const pdf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (pdf.subarray(0, 5).toString('latin1') !== '%PDF-') return undefined;
  const objects = openPdfObjects(pdf);
  const root = reference(objects?.trailer, 'Root');
  if (objects === undefined || root === undefined) return undefined;
  const tree = reference(objects.read(root), 'Pages');
  const count = tree === undefined ? undefined : /\/Count\s+(\d+)/.exec(objects.read(tree) ?? '')?.[1];
  // A page takes at least one byte.
  return count !== undefined && Number(count) <= pdf.length ? Number(count) : undefined;
}

const endWindowBytes = 1024;
const maxSections = 64;
const maxObjects = 2_000_000;
const maxInflatedBytes = 64 * 1024 * 1024;
const maxDirectoryBytes = 1024 * 1024;
const maxNumberBytes = 6;
const entryBytes = 20;

interface PdfObjects {
  /** Text of the newest trailer dictionary. */
  readonly trailer: string;
  /** Text of a numbered object, up to its stream; undefined if it is missing or unreadable. */
  read(number: number): string | undefined;
}

type Location = { readonly offset: number } | { readonly container: number; readonly position: number };

/** Remaining budget for reading cross-references: the file may be built to exhaust time or memory. */
interface Scan {
  readonly pdf: Buffer;
  readonly locations: Map<number, Location>;
  /** Sections of a valid file do not overlap, so together they are not longer than the file. */
  tableBytesLeft: number;
  inflatedBytesLeft: number;
  entriesLeft: number;
}

/**
 * Opens the cross-references of a PDF, as tables (ISO 32000-1, 7.5.4) or as streams (7.5.8). Undefined if they are
 * broken.
 */
function openPdfObjects(pdf: Buffer): PdfObjects | undefined {
  const end = pdf.subarray(-endWindowBytes).toString('latin1');
  const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(end)?.[1];
  if (start === undefined) return undefined;
  const locations = new Map<number, Location>();
  const budget = { tableBytesLeft: pdf.length, inflatedBytesLeft: maxInflatedBytes, entriesLeft: maxObjects };
  const scan: Scan = { pdf, locations, ...budget };
  let trailer: string | undefined;
  const seen = new Set<number>();
  let offset: number | undefined = Number(start);
  while (offset !== undefined && !seen.has(offset) && seen.size < maxSections) {
    seen.add(offset);
    const found = readSection(scan, offset);
    if (found === undefined) return undefined;
    trailer ??= found;
    const previous = /\/Prev\s+(\d+)/.exec(found)?.[1];
    offset = previous === undefined ? undefined : Number(previous);
  }
  return trailer === undefined ? undefined : { trailer, read: (number) => readObject(pdf, locations, number) };
}

/** The object number that a dictionary's entry refers to. */
function reference(dictionary: string | undefined, name: string): number | undefined {
  const number = new RegExp(`/${name}\\s+(\\d+)\\s+\\d+\\s+R`).exec(dictionary ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}

function readSection(scan: Scan, offset: number): string | undefined {
  const isTable = scan.pdf.subarray(offset, offset + 4).toString('latin1') === 'xref';
  return isTable ? readTable(scan, offset) : readStream(scan, offset);
}

function readTable(scan: Scan, offset: number): string | undefined {
  const { pdf } = scan;
  const trailerAt = pdf.indexOf('trailer', offset);
  if (trailerAt < 0) return undefined;
  const nextStart = pdf.indexOf('startxref', trailerAt);
  const end = nextStart < 0 ? pdf.length : nextStart;
  scan.tableBytesLeft -= end - offset;
  if (scan.tableBytesLeft < 0) return undefined;
  const text = pdf.subarray(offset + 4, trailerAt).toString('latin1');
  const heading = /\s*(\d+) (\d+)\s*\n/y;
  for (let match = heading.exec(text); match !== null; match = heading.exec(text)) {
    const [first, count] = [Number(match[1]), Number(match[2])];
    const body = heading.lastIndex;
    if (count * entryBytes > text.length - body + 1) return undefined;
    for (let i = 0; i < count; i++) {
      const entry = text.slice(body + i * entryBytes, body + (i + 1) * entryBytes);
      if (entry[17] === 'n' && !remember(scan, first + i, { offset: Number(entry.slice(0, 10)) })) return undefined;
    }
    heading.lastIndex = body + count * entryBytes;
  }
  return pdf.subarray(trailerAt, end).toString('latin1');
}

function readStream(scan: Scan, offset: number): string | undefined {
  const dictionary = textAt(scan.pdf, offset);
  const widths = /\/W\s*\[\s*(\d+)\s+(\d+)\s+(\d+)/.exec(dictionary ?? '');
  const [a = 0, b = 0, c = 0] = widths?.slice(1).map(Number) ?? [];
  const rowBytes = a + b + c;
  if (dictionary === undefined || rowBytes === 0 || Math.max(a, b, c) > maxNumberBytes) return undefined;
  const rows = inflatedStream(scan.pdf, offset, dictionary);
  scan.inflatedBytesLeft -= rows?.length ?? 0;
  if (rows === undefined || scan.inflatedBytesLeft < 0) return undefined;
  const size = Number(/\/Size\s+(\d+)/.exec(dictionary)?.[1] ?? 0);
  const ranges = /\/Index\s*\[([\d\s]+)\]/.exec(dictionary)?.[1]?.trim().split(/\s+/).map(Number) ?? [0, size];
  let at = 0;
  for (let r = 0; r + 1 < ranges.length; r += 2) {
    for (let i = 0; i < (ranges[r + 1] ?? 0) && at + rowBytes <= rows.length; i++, at += rowBytes) {
      const kind = a === 0 ? 1 : rows.readUIntBE(at, a);
      const [second, third] = [numberAt(rows, at + a, b), numberAt(rows, at + a + b, c)];
      const location = kind === 1 ? { offset: second } : { container: second, position: third };
      if ((kind === 1 || kind === 2) && !remember(scan, (ranges[r] ?? 0) + i, location)) return undefined;
    }
  }
  return dictionary;
}

function readObject(pdf: Buffer, locations: Map<number, Location>, number: number): string | undefined {
  const location = locations.get(number);
  if (location === undefined) return undefined;
  if ('offset' in location) {
    const text = textAt(pdf, location.offset);
    return text?.startsWith(`${number} `) === true ? text : undefined;
  }
  const container = locations.get(location.container);
  if (container === undefined || !('offset' in container)) return undefined;
  const dictionary = textAt(pdf, container.offset);
  const content = dictionary === undefined ? undefined : inflatedStream(pdf, container.offset, dictionary);
  const first = Number(/\/First\s+(\d+)/.exec(dictionary ?? '')?.[1]);
  if (first > maxDirectoryBytes) return undefined;
  const header = content?.subarray(0, first).toString('latin1').trim().split(/\s+/).map(Number) ?? [];
  const starts = header.filter((_value, i) => i % 2 === 1);
  const [from, to] = [starts[location.position], starts[location.position + 1]];
  return from === undefined ? undefined : content?.subarray(first + from, to && first + to).toString('latin1');
}

/** Keeps the first location, which is the newest. Returns false if there are too many. */
function remember(scan: Scan, number: number, location: Location): boolean {
  if (!scan.locations.has(number)) scan.locations.set(number, location);
  return --scan.entriesLeft >= 0;
}

function textAt(pdf: Buffer, offset: number): string | undefined {
  const end = pdf.indexOf('endobj', offset);
  if (end < 0) return undefined;
  const stream = pdf.subarray(offset, end).indexOf('stream');
  return pdf.subarray(offset, stream < 0 ? end : offset + stream).toString('latin1');
}

function inflatedStream(pdf: Buffer, offset: number, dictionary: string): Buffer | undefined {
  const lineEnd = pdf.indexOf('\n', offset + dictionary.length);
  const length = Number(/\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary)?.[1]);
  if (lineEnd < 0 || !Number.isInteger(length)) return undefined;
  const raw = pdf.subarray(lineEnd + 1, lineEnd + 1 + length);
  if (!dictionary.includes('/FlateDecode')) return raw;
  try {
    const data = inflateSync(raw, { maxOutputLength: maxInflatedBytes });
    const columns = Number(/\/Columns\s+(\d+)/.exec(dictionary)?.[1] ?? 1);
    return /\/Predictor\s+1[0-5]/.test(dictionary) ? undoUpPrediction(data, columns) : data;
  } catch {
    return undefined;
  }
}

/** PNG prediction (RFC 2083, 6.4 "Up"), the only kind that PDF writers use for cross-references. */
function undoUpPrediction(data: Buffer, columns: number): Buffer {
  const rows = Math.floor(data.length / (columns + 1));
  const result = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row++) {
    const isUp = data[row * (columns + 1)] === 2;
    for (let column = 0; column < columns; column++) {
      const above = isUp && row > 0 ? (result[(row - 1) * columns + column] ?? 0) : 0;
      result[row * columns + column] = ((data[row * (columns + 1) + 1 + column] ?? 0) + above) & 0xff;
    }
  }
  return result;
}

function numberAt(data: Buffer, at: number, width: number): number {
  return width === 0 ? 0 : data.readUIntBE(at, width);
}
