/** Writes numbers as four bytes each, little-endian. */
export function words(...numbers: readonly number[]): Buffer {
  return Buffer.concat(
    numbers.map((number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32LE(number | 0);
      return bytes;
    }),
  );
}

export function emfRecord(type: number, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const padded = Buffer.concat([content, Buffer.alloc(-content.length & 3)]);
  return Buffer.concat([words(type, 8 + padded.length), padded]);
}

/** An EMF file with these records between its header and its end. */
export function emf(...records: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat([...records, emfRecord(14, words(0, 16, 20))]);
  const counts = Buffer.from(words(108 + body.length, records.length + 2, 16));
  const header = Buffer.concat([
    words(1, 108, 0, 0, 1000, 1000, 0, 0, 20_000, 20_000),
    Buffer.from(' EMF'),
    words(0x10000),
    counts,
  ]);
  return Buffer.concat([header, Buffer.alloc(108 - header.length), body]);
}

/** The header of a bitmap compressed with RLE8, which can repeat pixels with a few bytes. */
function packedBitmap(width: number, height: number): Buffer {
  return Buffer.concat([
    words(40, width, height, 0x0008_0001, 1, 6, 0, 0, 1, 0, 0xff),
    Buffer.from([255, 1, 0, 0, 0, 1]),
  ]);
}

/** EMR_STRETCHDIBITS. */
export function stretchedBitmap(width: number, height: number): Buffer {
  const bitmap = packedBitmap(width, height);
  const places = words(0, 0, 1000, 1000, 0, 0, 0, 0, width, height, 80, 44, 124, 6, 0, 0x00cc0020, 1000, 1000);
  return emfRecord(81, Buffer.concat([places, bitmap]));
}

/** EMR_POLYLINE, with as many points as it declares or fewer. */
export function polyline(declared: number, written = declared): Buffer {
  return emfRecord(4, Buffer.concat([words(0, 0, 1000, 1000, declared), Buffer.alloc(written * 8)]));
}

/** EMR_COMMENT. */
export function comment(kind: 'EMF+' | 'GDIC', data: Uint8Array): Buffer {
  return emfRecord(70, Buffer.concat([words(4 + data.length), Buffer.from(kind), data]));
}

interface PlusRecord {
  readonly type: number;
  readonly flags?: number;
  /** The total size of an object that continues in the next record. */
  readonly totalBytes?: number;
}

export function plusRecord({ type, flags = 0, totalBytes }: PlusRecord, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const sizes = totalBytes === undefined ? words(12 + data.length) : words(16 + data.length, totalBytes);
  return Buffer.concat([words((flags << 16) | type), sizes, words(data.length), data]);
}

export const plusObject = 0x4008;
/** The flags of a picture object, and of an object that continues. */
export const plusPicture = 0x0500;
export const plusContinues = 0x8000;

/** A picture in EMF+: either pixels without content, or a file. */
export function plusBitmap(width: number, height: number, file?: Uint8Array): Buffer {
  return Buffer.concat([
    words(0xdbc01001, 1, width, height, 0, 0, file === undefined ? 0 : 1),
    file ?? Buffer.alloc(0),
  ]);
}

export function plusMetafile(file: Uint8Array): Buffer {
  return Buffer.concat([words(0xdbc01001, 2, 3, file.length), file]);
}

export function wmfRecord(kind: number, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt32LE(3 + Math.ceil(content.length / 2));
  head.writeUInt16LE(kind, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length & 1)]);
}

/** A WMF file, with or without a placeable header. */
export function wmf(records: readonly Uint8Array[], isPlaceable = true): Buffer {
  const body = Buffer.concat([...records, wmfRecord(0)]);
  const header = Buffer.from('010009000003000000000200000000000000', 'hex');
  const placeable = Buffer.from(`d7cdc69a000000000000e803e80360000000000000000000`.slice(0, 44), 'hex');
  return Buffer.concat([...(isPlaceable ? [placeable] : []), header, body]);
}

/** META_STRETCHDIB. */
export function wmfBitmap(width: number, height: number): Buffer {
  return wmfRecord(0x0f43, Buffer.concat([Buffer.alloc(22), packedBitmap(width, height)]));
}

/** META_ESCAPE_ENHANCED_METAFILE, which carries a part of an EMF. */
export function wmfEnhanced(part: Uint8Array): Buffer {
  const head = Buffer.alloc(38);
  head.writeUInt16LE(15);
  head.writeUInt16LE(34 + part.length, 2);
  head.writeUInt32LE(0x43464d57, 4);
  return wmfRecord(0x0626, Buffer.concat([head, part]));
}
