import { deflateSync } from 'node:zlib';
import type { PdfObjects } from './pdf-objects.ts';

/** Adds the output intent of PDF/A (ISO 19005-2, 6.2.3): the colours of the file are sRGB. Returns its object number. */
export function addOutputIntent(objects: PdfObjects): number {
  const profile = objects.addStream('/N 3 /Filter /FlateDecode', srgb, true);
  const name = '(sRGB IEC61966-2.1)';
  return objects.add(
    `<</Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier ${name} /Info ${name} /DestOutputProfile ${profile} 0 R>>`,
  );
}

const headerBytes = 128;
const entryBytes = 12;

/** The primary colours and the white point of sRGB, adapted to D50 (IEC 61966-2-1, annex F; ICC.1:2004-10, annex E). */
const whitePoint = [0.9642, 1, 0.8249] as const;
const red = [0.43607, 0.22249, 0.01392] as const;
const green = [0.38515, 0.71687, 0.09708] as const;
const blue = [0.14307, 0.06061, 0.7141] as const;
/** From D65 to D50 (Bradford). */
const adaptation = [1.04788, 0.02292, -0.0502, 0.02959, 0.99048, -0.01706, -0.00923, 0.01508, 0.75168] as const;
/** Y = (aX + b)^g for X ≥ d, and cX below: g, a, b, c, d. */
const curve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;

/** An ICC profile of sRGB as a monitor (ICC.1:2004-10, 8.4.2), deflated. */
const srgb = deflateSync(
  writeProfile([
    ['desc', text('sRGB IEC61966-2.1')],
    ['cprt', text('No copyright, use freely')],
    ['wtpt', numbers('XYZ ', whitePoint)],
    ['chad', numbers('sf32', adaptation)],
    ['rXYZ', numbers('XYZ ', red)],
    ['gXYZ', numbers('XYZ ', green)],
    ['bXYZ', numbers('XYZ ', blue)],
    ...['rTRC', 'gTRC', 'bTRC'].map((name) => [name, numbers('para\0\0\0\0\0\x03\0\0', curve)] as const),
  ]),
);

function writeProfile(tags: readonly (readonly [name: string, data: Buffer])[]): Buffer {
  const table = Buffer.alloc(4 + tags.length * entryBytes);
  table.writeUInt32BE(tags.length, 0);
  let end = headerBytes + table.length;
  for (const [index, [name, data]] of tags.entries()) {
    const at = 4 + index * entryBytes;
    table.write(name, at, 'latin1');
    table.writeUInt32BE(end, at + 4);
    table.writeUInt32BE(data.length, at + 8);
    end += data.length;
  }
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(end, 0);
  // Version 4.2, without a date, a device or a creator, so that the profile never changes.
  header.write('\x04\x20\0\0mntrRGB XYZ ', 8, 'latin1');
  header.writeUInt16BE(2004, 24);
  header.writeUInt16BE(1, 26);
  header.writeUInt16BE(1, 28);
  header.write('acsp', 36, 'latin1');
  numbers('', whitePoint, 0).copy(header, 68);
  return Buffer.concat([header, table, ...tags.map(([, data]) => data)]);
}

/**
 * Fixed-point numbers with 16 fractional bits (s15Fixed16Number), after the signature of their type and four zero
 * bytes.
 */
function numbers(type: string, values: readonly number[], headBytes = 8): Buffer {
  const head = Buffer.alloc(Math.max(headBytes, type.length));
  head.write(type, 'latin1');
  const data = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) data.writeInt32BE(Math.round(value * 65_536), index * 4);
  return Buffer.concat([head, data]);
}

/** A text in English (multiLocalizedUnicodeType), padded to whole words of four bytes. */
function text(shown: string): Buffer {
  const encoded = Buffer.from(shown, 'utf16le').swap16();
  const head = Buffer.alloc(28);
  head.write('mluc', 'latin1');
  head.writeUInt32BE(1, 8);
  head.writeUInt32BE(12, 12);
  head.write('enUS', 16, 'latin1');
  head.writeUInt32BE(encoded.length, 20);
  head.writeUInt32BE(head.length, 24);
  return Buffer.concat([head, encoded, Buffer.alloc((4 - (encoded.length % 4)) % 4)]);
}
