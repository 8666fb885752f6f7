import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { decryptPackage } from '../../../../src/worker/docx/package/encrypted/decrypt-package.ts';
import { messagesOf } from './refusal-of.ts';

// Written by officecrypto-tool 0.0.19. LibreOffice opens the first two without asking for a password.
const encrypted = (name: string) => readFileSync(new URL(`./encrypted/${name}.docx`, import.meta.url));
const protectedFile = /protected with a password/;

describe('a file that Word encrypted with its default password', () => {
  it.each(['agile', 'standard'])('is a template like any other: %s encryption', (name) => {
    expect(inspectTemplate(encrypted(name)).tags).toEqual(['name']);
  });

  it('is rejected with the reason if it has another password', () => {
    expect(messagesOf(encrypted('own-password'))).toMatch(protectedFile);
  });
});

describe('a damaged or hostile encrypted file', () => {
  const changed = (change: (file: Buffer) => void, name = 'standard') => {
    const file = Buffer.from(encrypted(name));
    change(file);
    return file;
  };
  const cases: readonly (readonly [string, Buffer])[] = [
    ['sectors beyond the file', changed((file) => file.writeUInt32LE(0x00ffffff, 76))],
    ['a sector size that does not exist', changed((file) => file.writeUInt16LE(31, 30))],
    ['more hashing than Word ever asks for', changed((file) => file.write('99e999', file.indexOf('100000')), 'agile')],
    ['a hash that is unknown', changed((file) => file.write('SHA999', file.indexOf('SHA512')), 'agile')],
    ['a package larger than its stream', changed((file) => file.fill(0xff, endOfHeader(file), endOfHeader(file) + 8))],
  ];
  it.each(cases)('is rejected: %s', (_title, file) => {
    expect(messagesOf(file)).toMatch(protectedFile);
  });

  it('is complete or rejected, wherever it is truncated or repeats itself', () => {
    const file = encrypted('standard');
    const whole = decryptPackage(file)?.toString('hex');
    const ends = Array.from({ length: 5 }, (_, i) => file.subarray(0, i * 1021));
    const cycles = [
      changed((copy) => selfLink(copy, copy.readUInt32LE(48))),
      changed((copy) => selfLink(copy, copy.readUInt32LE(60))),
      changed((copy) => copy.writeUInt32LE(0, 68)),
    ];
    for (const damaged of [...ends, ...cycles])
      expect([undefined, whole]).toContain(decryptPackage(damaged)?.toString('hex'));
  });
});

/** Makes a sector of a small file its own successor in the allocation table. */
function selfLink(file: Buffer, sector: number): void {
  file.writeUInt32LE(sector, (file.readUInt32LE(76) + 1) * 512 + sector * 4);
}

/** The offset of the encrypted package, which is the stream that begins with the package's size in eight bytes. */
function endOfHeader(file: Buffer): number {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(1847n);
  return file.indexOf(size);
}
