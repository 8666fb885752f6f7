import { expect, test } from 'vitest';
import { openDirectConverter } from '../../../../src/worker/pdf/direct/convert-directly.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { testFonts } from '../../../support/fonts.ts';

const converter = await openDirectConverter(testFonts);

const justified = (runs: string): string => `<w:p><w:pPr><w:jc w:val="both"/></w:pPr>${runs}</w:p>`;

test('a justified line with a break is left to LibreOffice where only an empty line follows on the next page', () => {
  const convert = (above: number) => {
    const body = `${paragraph('').repeat(above)}${justified('<w:r><w:t>one two three</w:t><w:br/></w:r>')}${paragraph('end')}`;
    return converter.convert(buildDocx({ body })).pages;
  };
  // The page has lines for 51 paragraphs.
  expect([convert(48), convert(49), convert(51)]).toEqual([1, 2, 2]);
  expect(() => convert(50)).toThrow('a justified line with a break at a page end');
});

test('spaces of small text that would shrink to less than nothing are left to LibreOffice', () => {
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const input = {
    rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
    parts: {
      'word/settings.xml': `<w:settings xmlns:w="${word}"><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`,
    },
  };
  const sized = (text: string, halfPoints: number): string =>
    `<w:r><w:rPr><w:sz w:val="${halfPoints}"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const outcomes = Array.from({ length: 40 }, (_, count) => {
    const runs = `${sized('small words in a line ', 8)}${sized('wide '.repeat(4), 60)}${sized('i'.repeat(count), 60)}${sized(' more words', 60)}`;
    try {
      return converter.convert(buildDocx({ ...input, body: justified(runs) })).pages;
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(outcomes).toContain('spaces that shrink to less than nothing');
  expect(outcomes).toContain(1);
});
