import { inflateSync } from 'node:zlib';

interface PlainObject {
  readonly number: number;
  readonly bytes: Buffer;
}

interface PlainFile {
  readonly header: Buffer;
  readonly objects: readonly PlainObject[];
  readonly trailer: string;
}

const maxObjects = 2_000_000;
const maxStreamBytes = 64 * 1024 * 1024;
/** The field widths of the cross-reference streams that direct layout writes. */
const widths = '/W [1 4 1]';
const entryBytes = 6;

/**
 * Reads a file with a cross-reference stream and object streams (ISO 32000-1, 7.5.7 and 7.5.8), as direct layout writes
 * it, and extracts the objects from their streams. Undefined for any other file.
 */
export function readCompressedObjects(pdf: Buffer, tableAt: number): PlainFile | undefined {
  const table = streamAt(pdf, tableAt);
  if (table === undefined || !table.dictionary.includes('/Type /XRef') || !table.dictionary.includes(widths))
    return undefined;
  const trailer = trailerOf(table.dictionary);
  const offsets = readOffsets(table.data).filter((offset) => offset < tableAt);
  const [first] = offsets;
  if (trailer === undefined || first === undefined) return undefined;
  const objects: PlainObject[] = [];
  for (const [index, offset] of offsets.entries()) {
    const bytes = pdf.subarray(offset, offsets[index + 1] ?? tableAt);
    const number = /^(\d{1,10}) 0 obj\n/.exec(bytes.toString('latin1', 0, 24))?.[1];
    if (number === undefined) return undefined;
    if (!isObjectStream(bytes)) objects.push({ number: Number(number), bytes });
    else for (const object of readObjectStream(bytes)) objects.push(object);
  }
  return { header: pdf.subarray(0, first), objects, trailer };
}

interface RawStream {
  readonly dictionary: string;
  readonly data: Buffer;
}

function streamAt(pdf: Buffer, at: number): RawStream | undefined {
  const keyword = pdf.indexOf('>>\nstream\n', at);
  if (keyword < 0 || !/^\d{1,10} 0 obj\n/.test(pdf.toString('latin1', at, at + 24))) return undefined;
  const dictionary = pdf.toString('latin1', at, keyword);
  const length = Number(/\/Length (\d+)$/.exec(dictionary)?.[1]);
  const start = keyword + '>>\nstream\n'.length;
  return length > 0 && start + length <= pdf.length
    ? { dictionary, data: pdf.subarray(start, start + length) }
    : undefined;
}

/** The offsets of the objects outside object streams, in ascending order. */
function readOffsets(table: Buffer): number[] {
  const offsets: number[] = [];
  const count = Math.min(maxObjects, Math.floor(table.length / entryBytes));
  for (let number = 0; number < count; number++) {
    const at = number * entryBytes;
    if (table[at] === 1) offsets.push(table.readUInt32BE(at + 1));
  }
  return offsets.sort((a, b) => a - b);
}

function trailerOf(dictionary: string): string | undefined {
  const entries = ['Size \\d+', 'Root \\d+ 0 R', 'Info \\d+ 0 R', 'ID \\[[^\\]]*\\]'].map(
    (entry) => new RegExp(`/${entry}`).exec(dictionary)?.[0],
  );
  return entries.includes(undefined) ? undefined : `trailer\n<<${entries.join(' ')}>>\n`;
}

function isObjectStream(bytes: Buffer): boolean {
  return /^\d+ 0 obj\n<<\/Type \/ObjStm /.test(bytes.toString('latin1', 0, 48));
}

function readObjectStream(bytes: Buffer): PlainObject[] {
  const stream = streamAt(bytes, 0);
  const first = Number(/\/First (\d+)/.exec(stream?.dictionary ?? '')?.[1]);
  if (stream === undefined) throw new Error('an object stream is damaged');
  const content = inflateSync(stream.data, { maxOutputLength: maxStreamBytes }).toString('latin1');
  const places = content.slice(0, first).trim().split(' ').map(Number);
  const objects: PlainObject[] = [];
  for (let at = 0; at + 1 < places.length; at += 2) {
    const text = content.slice(first + (places[at + 1] ?? 0), first + (places[at + 3] ?? content.length));
    const number = places[at] ?? 0;
    objects.push({ number, bytes: Buffer.from(`${number} 0 obj\n${text.trimEnd()}\nendobj\n\n`, 'latin1') });
  }
  return objects;
}
