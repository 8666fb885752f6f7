import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openFontFace } from '../../../../src/worker/pdf/direct/font-face.ts';
import { withAlphabets } from '../../../../src/worker/pdf/direct/fonts/alphabets.ts';

const bytes = readFileSync('/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf');
const face = openFontFace(bytes);
const glyphsOf = (text: string): number[] => face.shape(text, false).map(({ id }) => id);

test('tables of a font can be read after many other fonts were opened', () => {
  const head = face.table('head');
  // More than the memory that HarfBuzz begins with.
  const others = Array.from({ length: 60 }, () => openFontFace(bytes));
  expect(others.every((other) => other.has(0x41))).toBe(true);
  expect(head?.getUint32(12)).toBe(0x5f0f3cf5);
  expect(face.table('none')).toBeUndefined();
});

test('documents with other words of the same alphabets have the same glyphs of a font', () => {
  const glyphs = withAlphabets(face, glyphsOf('office'));
  expect(glyphs).toEqual(withAlphabets(face, glyphsOf('zebra flight')));
  expect(glyphs).toEqual(expect.arrayContaining([...glyphsOf('office'), ...glyphsOf('q')]));
  expect(glyphs).not.toEqual(expect.arrayContaining(glyphsOf('A')));
  expect(withAlphabets(face, glyphsOf('€'))).toEqual(glyphsOf('€'));
});
