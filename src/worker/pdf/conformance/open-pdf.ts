import { inflateSync } from 'node:zlib';
import {
  PDF,
  PdfArray,
  PdfBool,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from '@libpdf/core';

/** Thrown for a file that cannot be read, or only with more memory than allowed. */
export class UnreadablePdf extends Error {}

export interface PdfPage {
  readonly dict: PdfDict;
  readonly ref: PdfRef;
  /** Counted from 1. */
  readonly number: number;
}

/** A PDF with access to its objects. References are resolved; a value of an unexpected type is undefined. */
export interface PdfFile {
  readonly bytes: Buffer;
  readonly trailer: PdfDict;
  readonly catalog: PdfDict;
  readonly pages: readonly PdfPage[];
  readonly isEncrypted: boolean;
  resolve(value: PdfObject | null | undefined): PdfObject | undefined;
  get(owner: PdfDict | undefined, key: string): PdfObject | undefined;
  /** A dictionary, or the dictionary of a stream. */
  dict(owner: PdfDict | undefined, key: string): PdfDict | undefined;
  stream(owner: PdfDict | undefined, key: string): PdfStream | undefined;
  array(owner: PdfDict | undefined, key: string): readonly (PdfObject | undefined)[] | undefined;
  name(owner: PdfDict | undefined, key: string): string | undefined;
  number(owner: PdfDict | undefined, key: string): number | undefined;
  text(owner: PdfDict | undefined, key: string): string | undefined;
  bool(owner: PdfDict | undefined, key: string): boolean | undefined;
  /** The values of a dictionary that are dictionaries. */
  dicts(owner: PdfDict | undefined): readonly (readonly [string, PdfDict])[];
  /**
   * The content of a stream; undefined if its filters are for pictures or its data is damaged. Throws `UnreadablePdf`.
   */
  decode(stream: PdfStream): Uint8Array | undefined;
  /** Every object that the cross-references list. */
  objects(): Iterable<readonly [number, PdfObject]>;
}

const maxReferences = 16;
const maxObjects = 1_000_000;
/** The limit for all decompressed streams of a file together. */
const maxDecodedBytes = 256 * 1024 * 1024;
const maxStructureBytes = 64 * 1024 * 1024;

/** Opens a PDF. `password` opens an encrypted one. Throws `UnreadablePdf`. */
export async function openPdf(bytes: Uint8Array, password?: string): Promise<PdfFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  refuseLargeStructure(buffer);
  const pdf = await load(bytes, password);
  const { context } = pdf;
  const { trailer, isEncrypted, isAuthenticated } = context.info;
  if (isEncrypted && !isAuthenticated) throw new UnreadablePdf('it is encrypted');
  let decodedBytesLeft = maxDecodedBytes;
  const resolve = (value: PdfObject | null | undefined): PdfObject | undefined => {
    let resolved = value ?? undefined;
    for (let hops = 0; resolved instanceof PdfRef && hops < maxReferences; hops++)
      resolved = context.resolve(resolved) ?? undefined;
    return resolved instanceof PdfRef || resolved?.type === 'null' ? undefined : resolved;
  };
  const get = (owner: PdfDict | undefined, key: string): PdfObject | undefined => resolve(owner?.get(key));
  const pages = context.pages.getPages().flatMap((ref, index) => {
    const dict = resolve(ref);
    return dict instanceof PdfDict ? [{ dict, ref, number: index + 1 }] : [];
  });
  return {
    bytes: buffer,
    trailer,
    catalog: context.catalog.getDict(),
    pages,
    isEncrypted,
    resolve,
    get,
    dict: (owner, key) => pick(get(owner, key), PdfDict),
    stream: (owner, key) => pick(get(owner, key), PdfStream),
    array(owner, key) {
      const value = get(owner, key);
      return value instanceof PdfArray ? [...value].map(resolve) : undefined;
    },
    name(owner, key) {
      const value = get(owner, key);
      return value instanceof PdfName ? value.value : undefined;
    },
    number: (owner, key) => pick(get(owner, key), PdfNumber)?.value,
    text: (owner, key) => pick(get(owner, key), PdfString)?.asString(),
    bool(owner, key) {
      const value = get(owner, key);
      return value instanceof PdfBool ? value.value : undefined;
    },
    dicts: (owner) =>
      [...(owner ?? [])].flatMap(([key, value]) => {
        const resolved = resolve(value);
        return resolved instanceof PdfDict ? [[key.value, resolved] as const] : [];
      }),
    decode(stream) {
      const decoded = decodeStream(stream, filtersOf(resolve(stream.get('Filter'))), decodedBytesLeft);
      decodedBytesLeft -= decoded?.length ?? 0;
      return decoded;
    },
    *objects() {
      const size = Math.min(pick(trailer.get('Size'), PdfNumber)?.value ?? 0, maxObjects, buffer.length);
      // The encryption dictionary itself is not encrypted, but the library would try to decrypt it.
      const encryption = trailer.getRef('Encrypt')?.objectNumber;
      for (let number = 1; number < size; number++) {
        if (number === encryption) continue;
        const object = context.resolve(PdfRef.of(number, 0));
        if (object !== null) yield [number, object];
      }
    },
  };
}

/** The names of a stream's filters. */
export function filtersOf(value: PdfObject | undefined): readonly string[] {
  if (value instanceof PdfName) return [value.value];
  return value instanceof PdfArray ? [...value].flatMap((item) => (item instanceof PdfName ? [item.value] : [])) : [];
}

function pick<T extends PdfObject>(
  value: PdfObject | undefined,
  type: abstract new (...args: never[]) => T,
): T | undefined {
  return value instanceof type ? value : undefined;
}

async function load(bytes: Uint8Array, password: string | undefined): Promise<PDF> {
  try {
    return await PDF.load(bytes, password === undefined ? {} : { credentials: password });
  } catch (error) {
    throw new UnreadablePdf(error instanceof Error ? error.message : 'it is damaged');
  }
}

/** The library sets no limit on decompressing cross-references and object streams. */
function refuseLargeStructure(bytes: Buffer): void {
  let bytesLeft = maxStructureBytes;
  for (const type of ['/ObjStm', '/XRef']) {
    for (let at = bytes.indexOf(type); at >= 0; at = bytes.indexOf(type, at + type.length)) {
      const start = bytes.indexOf('stream', at);
      if (start < 0) break;
      const data = bytes.subarray(bytes[start + 6] === 13 ? start + 8 : start + 7);
      bytesLeft -= inflate(data, bytesLeft)?.length ?? 0;
    }
  }
}

function decodeStream(stream: PdfStream, filters: readonly string[], maxBytes: number): Uint8Array | undefined {
  if (filters.length === 0) return stream.data;
  if (filters.length > 1 || filters[0] !== 'FlateDecode') return undefined;
  const data = inflate(stream.data, maxBytes);
  const parameters = stream.get('DecodeParms');
  return parameters === undefined ? data : undefined;
}

/** Undefined for damaged data. Throws `UnreadablePdf` if there is too much of it. */
function inflate(data: Uint8Array, maxBytes: number): Uint8Array | undefined {
  if (maxBytes <= 0) throw new UnreadablePdf('its streams are too large');
  try {
    return inflateSync(data, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadablePdf('its streams are too large');
    return undefined;
  }
}
