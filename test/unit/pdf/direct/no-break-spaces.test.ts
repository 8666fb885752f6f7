import { expect, test } from 'vitest';
import { openDirectConverter } from '../../../../src/worker/pdf/direct/convert-directly.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { testFonts } from '../../../support/fonts.ts';

const converter = await openDirectConverter(testFonts);

/** The number of pages, or why the document is left to LibreOffice. */
function outcomeOf(text: string, format: { readonly paragraph?: string; readonly run?: string } = {}): number | string {
  const { paragraph = '', run = '' } = format;
  const body = `<w:p><w:pPr>${paragraph}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
  try {
    return converter.convert(buildDocx({ body })).pages;
  } catch (error) {
    return (error as Error).message;
  }
}

test('amounts, dates and French punctuation are laid out', () => {
  expect(outcomeOf('Total: 1\u202f234,56\u00a0€')).toBe(1);
  expect(outcomeOf('«\u00a0Quoi\u00a0?\u00a0»', { paragraph: '<w:jc w:val="center"/>' })).toBe(1);
  expect(outcomeOf('3.\u00a0Dezember', { run: '<w:b/><w:u w:val="single"/>' })).toBe(1);
  expect(outcomeOf('\u00a0'), 'nothing else').toBe(1);
});

test('a line may end before or behind text with one, but not in it', () => {
  const outcomes = Array.from({ length: 120 }, (_, count) =>
    outcomeOf(`${'i'.repeat(count)} ${'word '.repeat(14)}12,50\u00a0€ and more`),
  );
  expect(new Set(outcomes)).toEqual(new Set([1, 'a no-break space near the end of a line']));
  expect(outcomes.filter((outcome) => outcome === 1).length).toBeGreaterThan(80);
});

test.each([
  [
    'at the end of a centred line',
    '12,50\u00a0',
    { paragraph: '<w:jc w:val="center"/>' },
    'a no-break space at the end of a line',
  ],
  [
    'with a line under it at the end of a line',
    '5\u00a0',
    { run: '<w:u w:val="single"/>' },
    'a no-break space at the end of a line',
  ],
  ['that is slanted', '12,50\u00a0€', { run: '<w:i/>' }, 'a slanted no-break space'],
  ['that is raised', 'a\u00a0b', { run: '<w:vertAlign w:val="superscript"/>' }, 'a raised or lowered no-break space'],
])('one %s is left to LibreOffice', (_place, text, format, reason) => {
  expect(outcomeOf(text, format)).toBe(reason);
});

test('ligatures beside text with spacing are left to LibreOffice', () => {
  const run = (text: string, spacing: number) =>
    `<w:r><w:rPr><w:rFonts w:ascii="Carlito" w:hAnsi="Carlito"/><w:spacing w:val="${spacing}"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const convert = (runs: string) => converter.convert(buildDocx({ body: `<w:p>${runs}</w:p>` })).pages;
  expect(convert(run('Parties ', 0) + run('of ', 0))).toBe(1);
  expect(convert(run('sums ', 20) + run('of ', 0))).toBe(1);
  expect(() => convert(run('sums ', 20) + run('Parties', 0))).toThrow('ligatures beside text with spacing');
});
