import { inflateSync } from 'node:zlib';
import { readCompressedObjects } from './read-compressed-objects.ts';

/** An indirect object: its bytes from `12 0 obj` to the next object. */
export interface PdfObject {
  readonly number: number;
  readonly bytes: Buffer;
}

/** The objects of a PDF, which are written with one cross-reference table (ISO 32000-1, 7.5.4). */
export interface PdfFile {
  readonly header: Buffer;
  /** In file order. */
  readonly objects: readonly PdfObject[];
  /** From the keyword `trailer` to the keyword `startxref`. */
  readonly trailer: string;
}

const maxObjects = 2_000_000;
const entryBytes = 20;
const endWindowBytes = 1024;

/**
 * Splits a PDF that LibreOffice or direct layout wrote into its objects. Undefined for any other file, such as an
 * encrypted, updated or damaged one.
 */
export function readPdfFile(bytes: Uint8Array): PdfFile | undefined {
  const pdf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = pdf.subarray(-endWindowBytes).toString('latin1');
  const tableAt = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(end)?.[1]);
  if (!(tableAt > 0) || tableAt >= pdf.length) return undefined;
  const compressed = readCompressedObjects(pdf, tableAt);
  if (compressed !== undefined) return compressed;
  const heading = /^xref\n0 (\d{1,10})\n/.exec(pdf.toString('latin1', tableAt, tableAt + 32));
  const count = Number(heading?.[1]);
  const entriesAt = tableAt + (heading?.[0].length ?? 0);
  const trailerAt = entriesAt + count * entryBytes;
  const isTable = heading !== null && count <= maxObjects && trailerAt < pdf.length;
  if (!isTable || pdf.toString('latin1', trailerAt, trailerAt + 7) !== 'trailer') return undefined;
  const trailer = pdf.toString('latin1', trailerAt, pdf.lastIndexOf('startxref'));
  if (/\/(?:Encrypt|Prev|XRefStm)\b/.test(trailer)) return undefined;
  const places = readPlaces(pdf.toString('latin1', entriesAt, trailerAt), count);
  const objects: PdfObject[] = [];
  for (const [i, { number, offset }] of places.entries()) {
    const next = places[i + 1]?.offset ?? tableAt;
    const object = { number, bytes: pdf.subarray(offset, next) };
    if (next > tableAt || !object.bytes.toString('latin1', 0, 24).startsWith(`${number} 0 obj`)) return undefined;
    objects.push(object);
  }
  const first = places[0]?.offset;
  return first === undefined ? undefined : { header: pdf.subarray(0, first), objects, trailer };
}

interface Place {
  readonly number: number;
  readonly offset: number;
}

function readPlaces(entries: string, count: number): Place[] {
  const places: Place[] = [];
  for (let number = 0; number < count; number++) {
    const at = number * entryBytes;
    if (entries[at + 17] === 'n') places.push({ number, offset: Number(entries.slice(at, at + 10)) });
  }
  return places.sort((a, b) => a.offset - b.offset);
}

/** Writes the objects in this order, with a new table. Unused numbers stay free. */
export function writePdfFile({ header, objects, trailer }: PdfFile): Buffer {
  const size = objects.reduce((most, { number }) => Math.max(most, number + 1), 1);
  const entries = new Array<string>(size).fill('0000000000 65535 f \n');
  let offset = header.length;
  for (const { number, bytes } of objects) {
    entries[number] = `${String(offset).padStart(10, '0')} 00000 n \n`;
    offset += bytes.length;
  }
  const table = `xref\n0 ${size}\n${entries.join('')}${trailer}startxref\n${offset}\n%%EOF\n`;
  return Buffer.concat([header, ...objects.map(({ bytes }) => bytes), Buffer.from(table, 'latin1')]);
}

/** The text of an object up to its stream. */
export function dictionaryOf({ bytes }: PdfObject): string {
  return bytes.toString('latin1', 0, streamStart(bytes) ?? bytes.length);
}

/** The offset after `stream` and its line end (ISO 32000-1, 7.3.8). */
function streamStart(bytes: Buffer): number | undefined {
  const keyword = bytes.indexOf('>>\nstream\n');
  return keyword < 0 ? undefined : keyword + 10;
}

/** The objects of a file by number. */
export type PdfObjects = ReadonlyMap<number, PdfObject>;

/** The raw bytes of an object's stream; undefined if it has none. */
export function streamOf(object: PdfObject, objects: PdfObjects): Buffer | undefined {
  const start = streamStart(object.bytes);
  const length = start === undefined ? undefined : (lengthObject(object, objects)?.length ?? directLength(object));
  if (start === undefined || length === undefined || start + length > object.bytes.length) return undefined;
  return object.bytes.subarray(start, start + length);
}

/** The inflated bytes of an object's stream; undefined if it has none, is damaged or exceeds `maxBytes`. */
export function inflatedStreamOf(object: PdfObject, objects: PdfObjects, maxBytes: number): Buffer | undefined {
  const stream = streamOf(object, objects);
  if (stream === undefined || !dictionaryOf(object).includes('/FlateDecode')) return undefined;
  try {
    return inflateSync(stream, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/** The object with a different stream, and also its length if that is a separate object. */
export function withStream(object: PdfObject, stream: Buffer, objects: PdfObjects): readonly PdfObject[] {
  const separate = lengthObject(object, objects);
  const found = dictionaryOf(object);
  const dictionary = separate === undefined ? found.replace(directLengths, `/Length ${stream.length}`) : found;
  const pieces = [Buffer.from(dictionary, 'latin1'), stream, Buffer.from('\nendstream\nendobj\n\n')];
  const changed = { number: object.number, bytes: Buffer.concat(pieces) };
  if (separate === undefined) return [changed];
  const text = `${separate.number} 0 obj\n${stream.length}\nendobj\n\n`;
  return [changed, { number: separate.number, bytes: Buffer.from(text) }];
}

const directLengths = /\/Length (\d+)(?! 0 R)(?!\d)/;

function directLength(object: PdfObject): number | undefined {
  const length = directLengths.exec(dictionaryOf(object))?.[1];
  return length === undefined ? undefined : Number(length);
}

function lengthObject(
  object: PdfObject,
  objects: PdfObjects,
): { readonly number: number; readonly length: number } | undefined {
  const number = Number(/\/Length (\d+) 0 R/.exec(dictionaryOf(object))?.[1]);
  const length = /^\d+ 0 obj\n(\d+)\n/.exec(objects.get(number)?.bytes.toString('latin1', 0, 64) ?? '')?.[1];
  return length === undefined ? undefined : { number, length: Number(length) };
}
