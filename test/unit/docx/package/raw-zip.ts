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
  const before = zip.beforeEnd?.({ offset, size: directory.length, count }) ?? Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip.end?.disk ?? 0, 4);
  end.writeUInt16LE(zip.end?.count ?? count, 8);
  end.writeUInt16LE(zip.end?.count ?? count, 10);
  end.writeUInt32LE(zip.end?.size ?? directory.length, 12);
  end.writeUInt32LE(zip.end?.offset ?? offset, 16);
  end.writeUInt16LE(zip.comment?.length ?? 0, 20);
  const { prefix, suffix, comment } = zip;
  const pieces = [prefix, ...local, directory, before, end, comment, suffix];
  return Buffer.concat(pieces.filter((piece) => piece !== undefined));
}

/** The entries of `rawZip` for ordinary files. */
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

function localHeader({ method, crc, packed, content, entry }: Fixed): Buffer {
  const name = Buffer.from(entry.localName ?? entry.name);
  const extra = entry.localExtra ?? Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(entry.localFlags ?? entry.flags ?? 0x0800, 6);
  header.writeUInt16LE(entry.localMethod ?? method, 8);
  header.writeUInt16LE(0x0021, 12);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

function centralRecord({ method, crc, packed, content, entry }: Fixed, offset: number): Buffer {
  const name = Buffer.from(entry.name);
  const extra = entry.centralExtra ?? Buffer.alloc(0);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(20, 4);
  record.writeUInt16LE(20, 6);
  record.writeUInt16LE(entry.flags ?? 0x0800, 8);
  record.writeUInt16LE(method, 10);
  record.writeUInt16LE(0x0021, 14);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(entry.compressedBytes ?? packed.length, 20);
  record.writeUInt32LE(entry.sizeBytes ?? content.length, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(offset, 42);
  return Buffer.concat([record, name, extra]);
}
