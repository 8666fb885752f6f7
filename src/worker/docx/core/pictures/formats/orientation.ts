/** The EXIF orientation of a JPEG, and the position of its two bytes in the file. */
export interface Orientation {
  /** 2 to 8 (CIPA DC-008, 4.6.5). */
  readonly value: number;
  readonly offset: number;
  readonly isLittleEndian: boolean;
}

const orientationTag = 0x0112;
const shortType = 3;
const maxEntries = 200;
const headerBytes = 6;

/** The orientation in the first directory of the EXIF segment at `start`; undefined if absent or upright. */
export function readOrientation(bytes: Buffer, start: number, end: number): Orientation | undefined {
  const tiff = bytes.subarray(start + headerBytes, end);
  const order = tiff.toString('latin1', 0, 2);
  if (bytes.toString('latin1', start, start + headerBytes) !== 'Exif\0\0' || !/^(?:II|MM)$/.test(order))
    return undefined;
  const isLittleEndian = order === 'II';
  const short = (at: number) =>
    at + 2 > tiff.length ? 0 : isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const long = (at: number) =>
    at + 4 > tiff.length ? 0 : isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at);
  const directory = long(4);
  const count = Math.min(short(directory), maxEntries);
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + 12 * i;
    if (short(entry) !== orientationTag) continue;
    const value = short(entry + 2) === shortType ? short(entry + 8) : 0;
    return value >= 2 && value <= 8 ? { value, offset: start + headerBytes + entry + 8, isLittleEndian } : undefined;
  }
  return undefined;
}

/** Resets the orientation, so that no reader rotates a picture that the document already rotates. */
export function withoutOrientation(bytes: Buffer, { offset, isLittleEndian }: Orientation): Buffer {
  const copy = Buffer.from(bytes);
  if (isLittleEndian) copy.writeUInt16LE(1, offset);
  else copy.writeUInt16BE(1, offset);
  return copy;
}
