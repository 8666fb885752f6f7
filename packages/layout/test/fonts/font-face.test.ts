import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addGlyphTexts, withAlphabets } from '../../src/fonts/alphabets.ts';
import { openFontFace } from '../../src/fonts/font-face.ts';

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

test('documents with other words of the same alphabets have the same glyphs of a font, with their texts', () => {
  const textsOf = (text: string): Map<number, string> => {
    const texts = new Map<number, string>();
    addGlyphTexts(texts, text, face.shape(text, false));
    return texts;
  };
  const texts = withAlphabets(face, textsOf('office'));
  expect([...texts]).toEqual([...withAlphabets(face, textsOf('zebra flight'))]);
  expect([...texts.keys()]).toEqual(expect.arrayContaining([...glyphsOf('office'), ...glyphsOf('q')]));
  expect([...texts.values()]).toEqual(expect.arrayContaining(['z', 'ti']));
  expect([...texts.keys()]).not.toEqual(expect.arrayContaining(glyphsOf('A')));
  expect([...withAlphabets(face, textsOf('€'))]).toEqual([[...glyphsOf('€'), '€']]);
});
