import { deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { expect, test } from 'vitest';
import { compressPictures } from '../../../../src/worker/pdf/compress/compress-pictures.ts';
import { dictionaryOf, type PdfFile, type PdfObject } from '../../../../src/worker/pdf/pdf-file.ts';

const stream = (number: number, entries: string, data: Uint8Array): PdfObject => ({
  number,
  bytes: Buffer.concat([
    Buffer.from(`${number} 0 obj\n<<${entries} /Length ${data.length}>>\nstream\n`),
    data,
    Buffer.from('\nendstream\nendobj\n'),
  ]),
});

/** A file with a page that shows each picture one inch wide, and one that it does not show. */
function fileOf(width: number, height: number, data: Uint8Array, shown: readonly number[] = [2]): PdfFile {
  const drawings = shown.map((number) => `q 72 0 0 72 10 10 cm /P${number} Do Q`);
  const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  const pictures = [2, 3].map((number) => stream(number, `${entries} /ColorSpace /DeviceRGB /Filter /DCTDecode`, data));
  const content = stream(1, '/Filter /FlateDecode', deflateSync(Buffer.from(drawings.join('\n'))));
  return { header: Buffer.from('%PDF-1.7\n'), objects: [content, ...pictures], trailer: 'trailer\n<<>>\n' };
}

const pixels = Buffer.alloc(600 * 600 * 4, 0x80);
const photo = jpeg.encode({ width: 600, height: 600, data: pixels }, 100).data;

test('a picture that is shown becomes smaller', () => {
  const [, shown, hidden] = compressPictures(fileOf(600, 600, photo), 50).objects;
  expect(shown && dictionaryOf(shown)).toContain('/Width 300 /Height 300');
  expect(hidden && dictionaryOf(hidden)).toContain('/Width 600 /Height 600');
});

const tooLarge = 'large pictures whose quality is to be changed';
const damaged = 'a JPEG whose quality cannot be changed';

test.each<[string, PdfFile, string]>([
  ['of too many pixels', fileOf(2_000, 4_001, photo), tooLarge],
  ['of too many pixels together', fileOf(2_000, 2_001, photo, [2, 3]), tooLarge],
  ['that cannot be decoded', fileOf(2_000, 2_001, Buffer.from([0xff, 0xd8, 1, 2])), damaged],
])('pictures %s are left to LibreOffice', (_, file, reason) => {
  expect(() => compressPictures(file, 50)).toThrow(reason);
});
