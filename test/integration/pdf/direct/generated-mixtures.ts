import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import { plannedDocument } from '../../../unit/pdf/direct/generated-documents.ts';

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const version = fc.constantFrom(12, 14, 15, 15);
const compatibility = (mode: number): string =>
  `<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${mode}"/></w:compat>`;
const longAddress = 'https://example.com/path?x=1';
const settingsPart = 'word/settings.xml';

/** Documents of paragraphs, lists, tabs, tables, headers and footers. Most begin no paragraph with an address that is longer than its line. */
export const mixtures: fc.Arbitrary<DocxInput> = fc
  .tuple(plannedDocument, version, fc.constantFrom(longAddress, 'example.com', 'example.com'))
  .map(([{ input }, mode, address]) => ({
    ...input,
    body: (input.body ?? '').replaceAll(longAddress, address),
    parts: {
      ...input.parts,
      [settingsPart]: String(input.parts?.[settingsPart]).replace(
        '</w:settings>',
        `${compatibility(mode)}</w:settings>`,
      ),
    },
  }));

const vocabulary =
  'the of agreement the of between parties shall be governed by 12 each one and/or well-known well-known/unknown a-b/c x/y-z 10/12/2026 https://example.com/path?x=1 https://www.example-company.com/documents/2026/agreements/general-terms.html#section-4 www.example.com/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/0/1/2/3 e-mail (a/b) km/h w/o foo/ /bar info@example.com 50%/60% [1]/[2] a–b/c €5/day “quoted/text” n/a I/O';

const run = fc
  .tuple(
    fc.array(fc.constantFrom(...vocabulary.split(' ')), { minLength: 1, maxLength: 14 }),
    fc.constantFrom('', '', '', '<w:b/>', '<w:i/>'),
    fc.constantFrom(' ', ' ', ''),
  )
  .map(
    ([words, format, end]) =>
      `<w:r><w:rPr>${format}</w:rPr><w:t xml:space="preserve">${words.join(' ')}${end}</w:t></w:r>`,
  );

const paragraph = fc
  .tuple(
    fc.integer({ min: 0, max: 7_600 }),
    fc.constantFrom('left', 'left', 'both', 'right'),
    fc.array(run, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '<w:r><w:br/></w:r>'),
  )
  .map(
    ([right, alignment, runs, between]) =>
      `<w:p><w:pPr><w:ind w:right="${right}"/><w:jc w:val="${alignment}"/></w:pPr>${runs.join(between)}</w:p>`,
  );

/** Addresses, dates and other words with slashes at the ends of lines. */
export const addresses: fc.Arbitrary<DocxInput> = fc
  .tuple(fc.array(paragraph, { minLength: 1, maxLength: 3 }), version)
  .map(([paragraphs, mode]) => ({
    body: paragraphs.join(''),
    rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
    parts: { [settingsPart]: `<w:settings xmlns:w="${wordNamespace}">${compatibility(mode)}</w:settings>` },
  }));
