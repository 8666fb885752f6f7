import { crc32, deflateRawSync } from 'node:zlib';

/** An archive entry whose header fields can contradict its content. */
export interface RawEntry {
  readonly name: string | Buffer;
  readonly content?: string | Uint8Array;
  readonly method?: number;
  /** The raw bytes in the file, if they differ from the content compressed with `method`. */
  readonly packed?: Buffer;
  readonly localName?: string;
  readonly localMethod?: number;
  readonly flags?: number;
  readonly localFlags?: number;
  readonly crc?: number;
  readonly sizeBytes?: number;
  readonly compressedBytes?: number;
  /** Replaces the offset of the directory in the end record. */
  readonly offset?: number;
  readonly centralExtra?: Buffer;
  readonly localExtra?: Buffer;
}

export interface RawZip {
  readonly prefix?: Buffer;
  readonly suffix?: Buffer;
  readonly comment?: Buffer;
  /** Inserted between the directory and the end record. */
  readonly beforeEnd?: (directory: { offset: number; size: number; count: number }) => Buffer;
  readonly end?: Partial<Record<'disk' | 'count' | 'size' | 'offset', number>>;
}

export function rawZip(entries: Iterable<RawEntry>, zip: RawZip = {}): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  let count = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '');
    const method = entry.method ?? 8;
    const packed = entry.packed ?? (method === 8 ? deflateRawSync(content) : content);
    const fixed = { method, crc: entry.crc ?? crc32(content), packed, content, entry };
    const header = localHeader(fixed);
    central.push(centralRecord(fixed, entry.offset ?? offset));
    local.push(header, packed);
    offset += header.length + packed.length;
    count++;
  }
  const directory = Buffer.concat(central);
  const before = zip.beforeEnd?.({ offset, size: directory.length, count }) ?? none;
  const claimed = zip.end?.count ?? count;
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(zip.end?.disk ?? 0, 0, claimed, claimed),
    u32(zip.end?.size ?? directory.length, zip.end?.offset ?? offset),
    u16(zip.comment?.length ?? 0),
  ]);
  const { prefix, suffix, comment } = zip;
  const pieces = [prefix, ...local, directory, before, end, comment, suffix];
  return Buffer.concat(pieces.filter((piece) => piece !== undefined));
}

/** Entries that `rawZip` writes as ordinary files. */
export function rawEntries(parts: ReadonlyMap<string, string | Uint8Array>): RawEntry[] {
  return Array.from(parts, ([name, content]) => ({ name, content }));
}

interface Fixed {
  readonly method: number;
  readonly crc: number;
  readonly packed: Buffer;
  readonly content: Buffer;
  readonly entry: RawEntry;
}

const none = Buffer.alloc(0);

function localHeader({ method, crc, packed, content, entry }: Fixed): Buffer {
  const name = Buffer.from(entry.localName ?? entry.name);
  const extra = entry.localExtra ?? none;
  return Buffer.concat([
    u32(0x04034b50),
    u16(20, entry.localFlags ?? entry.flags ?? 0x0800, entry.localMethod ?? method, 0, 0x0021),
    u32(crc, packed.length, content.length),
    u16(name.length, extra.length),
    name,
    extra,
  ]);
}

function centralRecord({ method, crc, packed, content, entry }: Fixed, offset: number): Buffer {
  const name = Buffer.from(entry.name);
  const extra = entry.centralExtra ?? none;
  return Buffer.concat([
    u32(0x02014b50),
    u16(20, 20, entry.flags ?? 0x0800, method, 0, 0x0021),
    u32(crc, entry.compressedBytes ?? packed.length, entry.sizeBytes ?? content.length),
    u16(name.length, extra.length, 0, 0, 0),
    u32(0, offset),
    name,
    extra,
  ]);
}

function u16(...numbers: readonly number[]): Buffer {
  return Buffer.from(Uint16Array.from(numbers).buffer);
}

function u32(...numbers: readonly number[]): Buffer {
  return Buffer.from(Uint32Array.from(numbers).buffer);
}
