import { hash } from 'node:crypto';
import { deflatedStream, type PdfParts, rawStream } from './pdf-stream.ts';

/**
 * Writes numbered objects as a file with a cross-reference stream (ISO 32000-1, 7.5.8). Its identifier is derived from
 * its content, so that equal documents give equal files. `root` and `info` are the object numbers of the catalog and
 * the document information.
 */
export function writeFile(objects: readonly (PdfParts | undefined)[], root: number, info: number): Buffer {
  const file = new FileWriter();
  file.push('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  const entries: CrossReference[] = [{ kind: 0, at: 0, index: 0 }];
  const small: { readonly number: number; readonly text: string }[] = [];
  for (const [index, object] of objects.entries()) {
    if (object === undefined) throw new Error(`object ${index + 1} of a PDF has no content`);
    const number = index + 1;
    const [text, ...stream] = object;
    if (stream.length === 0 && typeof text === 'string') small.push({ number, text });
    else entries[number] = file.object(number, object);
  }
  let number = objects.length;
  for (let from = 0; from < small.length; from += objectsOfStream) {
    const some = small.slice(from, from + objectsOfStream);
    number += 1;
    entries[number] = file.object(number, objectStream(some));
    for (const [index, one] of some.entries()) entries[one.number] = { kind: 2, at: number, index };
  }
  number += 1;
  const start = file.length;
  entries[number] = { kind: 1, at: start, index: 0 };
  const id = hash('sha256', file.whole(), 'hex').slice(0, idDigits);
  const trailer = `/Type /XRef /Size ${number + 1} /W [${entryWidths.join(' ')}] /Root ${root} 0 R /Info ${info} 0 R /ID [<${id}> <${id}>]`;
  file.object(number, rawStream(trailer, table(entries)));
  file.push(`startxref\n${start}\n%%EOF\n`);
  return file.whole();
}

const idDigits = 32;
/** A limit, because readers decompress the whole stream to get one object. */
const objectsOfStream = 200;

/** The location of an object (7.5.8.3): free, at an offset, or in the stream `at` with this index. */
interface CrossReference {
  readonly kind: 0 | 1 | 2;
  readonly at: number;
  readonly index: number;
}

/** The widths in bytes of a cross-reference's fields. */
const entryWidths = [1, 4, 1] as const;
const entryBytes = 6;

function table(entries: readonly CrossReference[]): Buffer {
  const bytes = Buffer.alloc(entries.length * entryBytes);
  for (const [number, { kind, at, index }] of entries.entries()) {
    bytes.writeUInt8(kind, number * entryBytes);
    bytes.writeUInt32BE(at, number * entryBytes + 1);
    bytes.writeUInt8(index, number * entryBytes + 5);
  }
  return bytes;
}

/** Objects other than streams take a fifth of the space in a compressed object stream (7.5.7). */
function objectStream(objects: readonly { readonly number: number; readonly text: string }[]): PdfParts {
  let offset = 0;
  const places = objects.map(({ number, text }) => {
    const place = `${number} ${offset}`;
    offset += text.length + 1;
    return place;
  });
  const head = `${places.join(' ')}\n`;
  const content = `${head}${objects.map(({ text }) => text).join('\n')}`;
  return deflatedStream(`/Type /ObjStm /N ${objects.length} /First ${head.length}`, Buffer.from(content, 'latin1'));
}

/** Collects Latin-1 text and bytes in sequence. */
class FileWriter {
  readonly #parts: (string | Uint8Array)[] = [];
  length = 0;

  push(part: string | Uint8Array): void {
    this.#parts.push(part);
    this.length += part.length;
  }

  object(number: number, parts: PdfParts): CrossReference {
    const at = this.length;
    this.push(`${number} 0 obj\n`);
    for (const part of parts) this.push(part);
    this.push('\nendobj\n');
    return { kind: 1, at, index: 0 };
  }

  whole(): Buffer {
    const file = Buffer.allocUnsafe(this.length);
    let at = 0;
    for (const part of this.#parts) {
      if (typeof part === 'string') file.write(part, at, 'latin1');
      else file.set(part, at);
      at += part.length;
    }
    return file;
  }
}
