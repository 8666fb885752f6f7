import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openFontSubsetter } from '../../src/fonts/font-subset.ts';

const bytes = readFileSync('/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf');
const subsetter = await openFontSubsetter();
const glyphs = [1, 2, 3];

test('fonts release their memory, so that any number of them can follow each other', () => {
  const expected = subsetter.subset(bytes, glyphs);
  const large = Buffer.concat([bytes, Buffer.alloc(3_000_000)]);
  // More than fit into its memory.
  for (let count = 0; count < 25; count++) expect(subsetter.subset(Buffer.from(large), glyphs)).toEqual(expected);
});

test('a font that would take most of the memory is left to LibreOffice', () => {
  expect(() => subsetter.subset(Buffer.alloc(24 * 1024 * 1024), glyphs)).toThrow('a very large font');
});
