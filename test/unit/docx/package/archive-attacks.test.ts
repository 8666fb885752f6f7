import { describe, expect, it } from 'vitest';
import { packageLimits } from '../../../../src/worker/docx/limits.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { archiveAttacks, extra64, filler, plain, unsafeNames, withEntry, withMain, zip64 } from './archive-attacks.ts';
import { rawZip } from './raw-zip.ts';
import { messagesOf, refusalsOf } from './refusal-of.ts';

it.each(archiveAttacks)('an archive that attacks its reader is refused: %s', (_, bytes, expected) => {
  expect(messagesOf(bytes())).toMatch(expected);
});

describe('an unsafe name is refused, and shown without its unsafe characters', () => {
  it.each(unsafeNames)('%j', (name, shown) => {
    expect(refusalsOf(withEntry({ name, content: 'x' }))).toEqual([
      { message: expect.stringMatching(/unsafe name/), part: shown },
    ]);
  });

  it('a name that is too long or missing', () => {
    expect(messagesOf(withEntry({ name: 'a'.repeat(1025) }))).toMatch(/longer than 1024/);
    expect(messagesOf(withEntry({ name: '' }))).toMatch(/without a name/);
  });
});

describe('an unusual but harmless archive is accepted', () => {
  const code850 = Buffer.from('word/media/\x81bersicht.png', 'latin1');
  it.each<[string, () => Uint8Array]>([
    ['stored, not deflated', () => buildDocx({ compression: 'store' })],
    ['bytes after the end', () => rawZip(plain, { suffix: Buffer.concat([Buffer.from('\r\n'), Buffer.alloc(900)]) })],
    ['a comment', () => rawZip(plain, { comment: Buffer.from('made by hand PK\u0005\u0006') })],
    ['an end record in the bytes after it', () => rawZip(plain, { suffix: Buffer.from('PK\u0005\u0006'.padEnd(60)) })],
    ['folder entries', () => withEntry({ name: 'word/media/', method: 0 })],
    ['what macOS adds', () => withEntry({ name: '__MACOSX/word/._document.xml', content: '\0\u0005\u0016\u0007' })],
    ['sizes after the data (flag 3)', () => rawZip(plain.map((entry) => ({ ...entry, flags: 8 })))],
    ['zip64 records that agree', () => zip64(plain, plain.length)],
    ['zip64 extra field in the local header', () => withMain({ localExtra: extra64(1n) })],
    ['names in an old code page', () => withEntry({ name: code850, flags: 0, content: 'x' })],
    ['names beyond ASCII', () => withEntry({ name: 'word/media/图片.png', content: 'x' })],
    ['2000 entries', () => rawZip([...plain, ...filler(2000 - plain.length, 1)])],
    ['a repetitive part of 15 MB', () => withEntry({ name: 'word/media/a.bmp', content: Buffer.alloc(15_000_000) })],
  ])('%s', (_, bytes) => {
    expect(refusalsOf(bytes())).toEqual([]);
  });

  it('folders and files added by macOS are not parts of the document', () => {
    const others = [{ name: 'word/media/', method: 0 }, { name: '__MACOSX/x' }, { name: 'word/.DS_Store' }];
    const file = rawZip([...plain, ...others]);
    expect(openPackage(file).partNames).toEqual(plain.map(({ name }) => name));
  });

  it('a template can be opened from shared memory', () => {
    const bytes = buildDocx();
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    expect(openPackage(shared).readText('word/document.xml')).toContain('Hello');
  });
});

it('the caller sets the limits', () => {
  expect(() => openPackage(buildDocx(), { ...packageLimits, maxEntries: 4 })).toThrow(
    expect.objectContaining({
      code: 'template_invalid',
      details: [expect.objectContaining({ message: 'The file contains 5 parts; at most 4 are allowed.' })],
    }),
  );
  const tight = { ...packageLimits, maxPartBytes: 600 };
  expect(() => openPackage(buildDocx(), tight)).toThrow(expect.objectContaining({ code: 'template_invalid' }));
});
