import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { writeZip } from '../../../src/worker/bundles/write-zip.ts';
import { useFolders } from '../../support/folder.ts';

const newFolder = useFolders();
const time = new Date('2026-11-21T12:00:00Z');

async function zip(count: number): Promise<Buffer> {
  async function* files() {
    for (let row = 1; row <= count; row++) yield { name: `rechnung-ü-${row}.pdf`, bytes: Buffer.from(`row ${row}`) };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeZip(files(), time)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** More files than a 16-bit counter can hold. */
const large = zip(65_535);

/** See APPNOTE 4.3.14 to 4.3.16. These records are read from the end of the file. */
function endOf(bytes: Buffer) {
  const end = bytes.subarray(-22);
  expect(end.toString('latin1', 0, 4)).toBe('PK\x05\x06');
  const locator = bytes.subarray(-42, -22);
  const directory = { sizeBytes: end.readUInt32LE(12), offset: end.readUInt32LE(16) };
  if (locator.toString('latin1', 0, 4) !== 'PK\x06\x07')
    return { ...directory, count: end.readUInt16LE(10), isZip64: false };
  const record = bytes.subarray(Number(locator.readBigUInt64LE(8)));
  expect(record.toString('latin1', 0, 4)).toBe('PK\x06\x06');
  expect(Number(record.readBigUInt64LE(40))).toBe(directory.sizeBytes);
  expect(Number(record.readBigUInt64LE(48))).toBe(directory.offset);
  return { ...directory, count: Number(record.readBigUInt64LE(32)), isZip64: true };
}

it.each([
  [1, false],
  [65_534, false],
  [65_535, true],
])('uses Zip64 where 16 bits are not enough: %i files', async (count, isZip64) => {
  const bytes = await (count === 65_535 ? large : zip(count));
  const end = endOf(bytes);
  expect(end).toMatchObject({ count, isZip64 });
  expect(bytes.toString('latin1', end.offset, end.offset + 4)).toBe('PK\x01\x02');
});

it('is the same file for the same rows', async () => {
  expect((await zip(30)).equals(await zip(30))).toBe(true);
});

it('is read entry by entry by another zip reader', async () => {
  const bytes = await large;
  const path = join(newFolder(), 'a.zip');
  writeFileSync(path, bytes);
  const script = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(z.testzip(), len(z.infolist()), z.infolist()[-1].filename, z.read(z.infolist()[65534]).decode())`;
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', script, path]);
  expect(stdout.trim()).toBe('None 65535 rechnung-ü-65535.pdf row 65535');
});
