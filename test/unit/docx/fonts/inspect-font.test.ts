import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/shared/errors.ts';
import { inspectFont } from '../../../../src/worker/docx/inspect/fonts/inspect-font.ts';
import { buildFont, type FontInput, writeFont } from '../../../support/documents/font-builder.ts';
import { volume } from '../../../support/extended.ts';

describe('an uploaded font', () => {
  test('is described by its family, style, rights and characters', async () => {
    const input = { family: 'Acme Sans', style: 'Bold Italic', characters: 'ABCx ', embedding: 8 } as const;
    const { report } = await inspectFont(buildFont(input));
    expect(report).toEqual({
      family: 'Acme Sans',
      familyNames: ['Acme Sans'],
      fullName: 'Acme Sans Bold Italic',
      style: 'boldItalic',
      version: 'Version 1.000',
      format: 'truetype',
      embedding: 'editable',
      glyphs: 6,
      coverage: [0x20, 0x20, 0x41, 0x43, 0x78, 0x78],
    });
  });

  test('is recognized by its family name in every language', async () => {
    const { report } = await inspectFont(buildFont({ familyNames: { 1033: 'Acme Sans', 1041: 'アクメ' } }));
    expect(report.familyNames).toEqual(['Acme Sans', 'アクメ']);
  });

  test('loses programs, scripts and everything unneeded', async () => {
    const active = { fpgm: Buffer.from([0xb0, 1]), prep: Buffer.from([0xb0, 1]), 'cvt ': Buffer.alloc(4) };
    const foreign = { 'SVG ': Buffer.from('<svg onload="x()"/>'), DSIG: Buffer.alloc(8), EVIL: Buffer.alloc(500) };
    const { file } = await inspectFont(buildFont({ tables: { ...active, ...foreign } }));
    expect(tagsOf(file)).toEqual(['OS/2', 'cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'name', 'post']);
  });

  test('has the same bytes each time', async () => {
    const first = await inspectFont(buildFont());
    const second = await inspectFont(buildFont());
    expect(second.file.equals(first.file)).toBe(true);
  });

  test('may be as large as real fonts are', async () => {
    const file = 'node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf';
    const { report } = await inspectFont(readFileSync(file));
    const facts = { family: 'Liberation Sans', style: 'regular', embedding: 'installable', format: 'truetype' };
    expect(report).toMatchObject(facts);
  });

  const permitted: readonly [string, FontInput, string][] = [
    ['preview and print', { embedding: 4 }, 'print'],
    ['editable', { embedding: 8 }, 'editable'],
    ['restricted or editable, of an old font', { embedding: 0x0a, os2Version: 2 }, 'editable'],
    ['bits that old fonts do not define', { embedding: 0x300, os2Version: 1 }, 'installable'],
  ];
  test.each(permitted)('may be embedded with the rights %s', async (_name, input, embedding) => {
    expect((await inspectFont(buildFont(input))).report.embedding).toBe(embedding);
  });

  const refused: readonly [string, Buffer, RegExp][] = [
    ['restricted', buildFont({ embedding: 2 }), /licence forbids embedding it in documents/],
    ['restricted, of an old font', buildFont({ embedding: 2, os2Version: 1 }), /licence forbids embedding it/],
    ['without subsetting', buildFont({ embedding: 0x100 }), /forbids embedding a part of it/],
    ['for its bitmaps only', buildFont({ embedding: 0x200 }), /only its bitmaps/],
    ['without rights', buildFont({ tables: { 'OS/2': null } }), /does not state its embedding rights/],
    ['without outlines', buildFont({ tables: { glyf: null } }), /font without outlines/],
    ['without a name', buildFont({ familyNames: { 1033: '\u0007 ' } }), /without a family name/],
    ['without characters', buildFont({ characters: '' }), /without characters/],
    ['of a collection', Buffer.from('ttcf\0\x01\0\0'), /collection of fonts: upload each font/],
    ['of the web', Buffer.from('wOF2aaaaaaaaaaaaaaaaaaa'), /WOFF2 font for web pages: upload the .ttf or .otf/],
    ['that is none', Buffer.from('%PDF-1.7 and more'), /is not a TrueType or OpenType font/],
    ['that is empty', Buffer.alloc(0), /is not a TrueType or OpenType font/],
    ['that ends early', buildFont().subarray(0, 300), /damaged font/],
    ['with too many tables', writeFont(Object.fromEntries(manyTables(65))), /damaged font/],
  ];
  test.each(refused)('%s is refused with the reason', async (_name, file, reason) => {
    const error = await inspectFont(file).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(reason) });
    expect((error as AppError).details).toEqual([{ type: 'Field', path: 'file', message: expect.any(String) }]);
  });

  test('is refused as damaged or accepted when bytes are changed, and nothing else happens', async () => {
    const original = buildFont();
    const random = randomNumbers(14);
    const outcomes = { accepted: 0, refused: 0 };
    const rounds = volume(30, 200);
    for (let round = 0; round < rounds; round++) {
      const file = Buffer.from(original);
      for (let i = 0; i <= random(12); i++) file[random(file.length)] = random(256);
      const cut = random(10) === 0 ? file.subarray(0, random(file.length)) : file;
      const outcome = await inspectFont(cut).catch((error: unknown) => error);
      if (outcome instanceof Error && !(outcome instanceof AppError)) throw outcome;
      outcomes[outcome instanceof AppError ? 'refused' : 'accepted']++;
    }
    expect(outcomes.refused).toBeGreaterThan(rounds / 10);
    expect(outcomes.accepted).toBeGreaterThan(rounds / 10);
  });
});

function manyTables(count: number): [string, Buffer][] {
  return Array.from({ length: count }, (_, i) => [`t${i}`.padEnd(4), Buffer.alloc(4)]);
}

function tagsOf(file: Buffer): string[] {
  return Array.from({ length: file.readUInt16BE(4) }, (_, i) => file.toString('latin1', 12 + 16 * i, 16 + 16 * i));
}

/** Creates pseudo-random numbers below `limit`, the same in each run. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
