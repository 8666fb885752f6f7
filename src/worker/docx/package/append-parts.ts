import { crc32 } from 'node:zlib';

export interface NewPart {
  readonly name: string;
  readonly data: Uint8Array;
}

const localBytes = 30;
const centralBytes = 46;
const endBytes = 22;
const version = 20;
const namesAreUtf8 = 0x0800;
const time = 0x00210000;

/**
 * Adds parts, uncompressed, to an archive that `writePackage` has written. The names must be new.
 * Source: APPNOTE.TXT 6.3, sections 4.3.7 to 4.3.16.
 */
export function appendParts(archive: Uint8Array, parts: readonly NewPart[]): Buffer {
  const file = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = file.length - endBytes;
  if (end < 0 || file.readUInt32LE(end) !== 0x06054b50) throw new Error('not an archive of writePackage');
  const [count, directoryBytes, directoryAt] = [
    file.readUInt16LE(end + 10),
    file.readUInt32LE(end + 12),
    file.readUInt32LE(end + 16),
  ];
  const locals: Uint8Array[] = [];
  const entries: Uint8Array[] = [];
  let offset = directoryAt;
  for (const { name, data } of parts) {
    const nameBytes = Buffer.from(name);
    const common = commonFields(data, nameBytes.length);
    const local = Buffer.concat([signature(0x04034b50), common, nameBytes]);
    locals.push(local, data);
    const rest = Buffer.alloc(centralBytes - 6 - common.length);
    rest.writeUInt32LE(offset, rest.length - 4);
    entries.push(signature(0x02014b50), versionField(), common, rest, nameBytes);
    offset += localBytes + nameBytes.length + data.length;
  }
  const added = Buffer.concat(entries);
  const last = Buffer.from(file.subarray(end));
  last.writeUInt16LE(count + parts.length, 8);
  last.writeUInt16LE(count + parts.length, 10);
  last.writeUInt32LE(directoryBytes + added.length, 12);
  last.writeUInt32LE(offset, 16);
  return Buffer.concat([file.subarray(0, directoryAt), ...locals, file.subarray(directoryAt, end), added, last]);
}

/**
 * The fields that local and central headers share: version, flags, method, time, checksum, sizes, length of the name,
 * no extra field.
 */
function commonFields(data: Uint8Array, nameBytes: number): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(version, 0);
  fields.writeUInt16LE(namesAreUtf8, 2);
  fields.writeUInt32LE(time, 6);
  fields.writeUInt32LE(crc32(data), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(data.length, 18);
  fields.writeUInt16LE(nameBytes, 22);
  return fields;
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function versionField(): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(version);
  return bytes;
}
