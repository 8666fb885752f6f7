import fc from 'fast-check';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import { plannedDocument } from '../../../unit/pdf/direct/generated-documents.ts';
import { compatibility, documentForWord } from './word-version.ts';

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const version = fc.constantFrom(12, 14, 15, 15);
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
  .map(([paragraphs, mode]) => documentForWord(paragraphs.join(''), mode));

const textsOfBusiness =
  '10 % 1 234,56 € n° 12 S.A.R.L. A/S m² +49 (0)30 1234-567 E-Mail-Adresse Müller-Lüdenscheidt 100,- 12:30–14:00 § 5 Abs. z. B. & #1 C++ “text”, ‘x’ ... … !? $1,000.00 -5 °C ±3 × ½ « bonjour » l’année d’accord ¿Qué? „Zitat“ »Zitat« \'quoted\' "straight" (see (a), (b)) [1] {x} a=b x|y 50%-off US$5 £10 ¥100 5€ 10kg 3x4 No.5 e.g., i.e. etc.) (etc. –5 — word—word word–word word - word 1. 2) iii) • · † © Ltd. Inc., GmbH Co. KG 2026-11-25 25.11.2026 10:30 a.m. www.example.com info@example.com IBAN DE89 3704 0044 VAT-ID: Tel.: +1-555-0100 pre- and mother-in-law’s rock’n’roll 10%-20% $5-$10 (1)-(2) .5 : ; ! ? ) COVID-19 A4-5 5-6-7';

const businessRun = fc
  .tuple(
    fc.array(fc.constantFrom(...textsOfBusiness.replaceAll('&', '&amp;').split(' '), 'agreement', 'delivery'), {
      minLength: 1,
      maxLength: 30,
    }),
    fc.constantFrom('', '', '', '<w:b/>', '<w:lang w:val="de-DE"/>', '<w:lang w:val="fr-FR"/>'),
    fc.constantFrom(' ', ' ', ''),
  )
  .map(
    ([words, format, end]) =>
      `<w:r><w:rPr>${format}</w:rPr><w:t xml:space="preserve">${words.join(' ')}${end}</w:t></w:r>`,
  );
const businessParagraph = fc
  .tuple(
    fc.integer({ min: 0, max: 7_000 }),
    fc.constantFrom('left', 'left', 'both', 'right'),
    fc.array(businessRun, { minLength: 1, maxLength: 2 }),
  )
  .map(
    ([right, alignment, runs]) =>
      `<w:p><w:pPr><w:ind w:right="${right}"/><w:jc w:val="${alignment}"/></w:pPr>${runs.join('')}</w:p>`,
  );

/** Numbers, dates, marks of punctuation and abbreviations of letters and invoices at the ends of lines. */
export const businessText: fc.Arbitrary<DocxInput> = fc
  .tuple(
    fc.array(businessParagraph, { minLength: 1, maxLength: 3 }),
    version,
    fc.constantFrom('Carlito', 'Liberation Sans', 'Liberation Serif', 'Caladea'),
    fc.constantFrom('', '<w:lang w:val="de-DE"/>', '<w:lang w:val="fr-FR"/>', '<w:lang w:val="en-US"/>'),
  )
  .map(([paragraphs, mode, family, language]) =>
    documentForWord(paragraphs.join(''), mode, {
      'word/styles.xml': `<w:styles xmlns:w="${wordNamespace}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="${family}" w:hAnsi="${family}"/>${language}</w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style></w:styles>`,
    }),
  );
