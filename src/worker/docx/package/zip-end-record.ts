import { refusal } from './refusal.ts';

const endSignature = 0x06054b50;
const zip64EndSignature = 0x06064b50;
const zip64LocatorSignature = 0x07064b50;
const endSize = 22;

/** Location of the central directory (APPNOTE 4.3.16). */
export interface ZipEndRecord {
  readonly entries: number;
  readonly offset: number;
  readonly end: number;
}

/**
 * Searches backwards from the end of the file for an end record directly preceded by its directory. Bytes after the end
 * record are ignored, as in every zip reader, and never copied.
 */
export function findEndRecord(file: Buffer): ZipEndRecord {
  const lowest = Math.max(0, file.length - endSize - 0xffff);
  for (let at = file.length - endSize; at >= lowest; at--) {
    if (file[at] !== 0x50 || file.readUInt32LE(at) !== endSignature) continue;
    const record = readEndRecord(file, at);
    if (record !== undefined) return record;
  }
  throw refusal(
    'The file is damaged or cut off: its table of contents is missing. Send it again, or save it again in Word.',
  );
}

function readEndRecord(file: Buffer, at: number): ZipEndRecord | undefined {
  const entries = file.readUInt16LE(at + 10);
  const size = file.readUInt32LE(at + 12);
  const offset = file.readUInt32LE(at + 16);
  const oneDisk = file.readUInt32LE(at + 4) === 0 && file.readUInt16LE(at + 8) === entries;
  if (oneDisk && offset + size === at && entries !== 0xffff) return { entries, offset, end: at };
  return readZip64EndRecord(file, at);
}

// Some writers add zip64 records to files of any size. They must be complete and match their position.
function readZip64EndRecord(file: Buffer, at: number): ZipEndRecord | undefined {
  const locator = at - 20;
  if (locator < 56 || file.readUInt32LE(locator) !== zip64LocatorSignature) return undefined;
  const record = Number(file.readBigUInt64LE(locator + 8));
  if (record !== locator - 56 || file.readUInt32LE(record) !== zip64EndSignature) return undefined;
  const entries = Number(file.readBigUInt64LE(record + 32));
  const size = Number(file.readBigUInt64LE(record + 40));
  const offset = Number(file.readBigUInt64LE(record + 48));
  return offset + size === record ? { entries, offset, end: record } : undefined;
}
