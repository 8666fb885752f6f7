import { expect, test } from 'vitest';
import { testFonts } from '../../../../test/support/fonts.ts';
import { findFaces } from '../../src/fonts/find-faces.ts';

const faceOf = findFaces(testFonts);
const styleOf = (family: string, style = '') =>
  faceOf({ family, isBold: style.includes('bold'), isItalic: style.includes('italic') });

test.each([
  ['Calibri', ''],
  ['Arial', 'bold'],
  ['noto serif', 'italic'],
  ['Times New Roman', 'bold italic'],
])('%s has a face: %s', (family, style) => {
  expect(styleOf(family, style).unitsPerEm).toBeGreaterThan(0);
});

test('of a list of fonts, the first one has the face', () => {
  expect(styleOf('Georgia; Arial')).toBe(styleOf('Georgia'));
});

test.each([
  ['DejaVu Sans', 'italic', 'that is not plain'],
  ['Noto Sans Thai', 'bold italic', 'that is not plain'],
  ['OpenSymbol', 'bold', 'that is not plain'],
  ['Noto Sans CJK KR', '', 'that is not plain'],
  ['Acme', '', 'without a rule for its substitute'],
  ['Acme, Arial', '', 'without a rule for its substitute'],
  ['Arial  Narrow', '', 'without a rule for its substitute'],
])('%s is left to LibreOffice: %s', (family, style, reason) => {
  expect(() => styleOf(family, style)).toThrow(`a font ${reason}`);
});
