import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { varyData } from '../../../../src/worker/direct-pdf/vary-data.ts';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { Comparer } from '../../../../src/worker/pdf/compare/comparer.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';
import { mutateDocx } from '../../../support/documents/mutate/mutate-docx.ts';
import * as word from '../../../support/documents/word-xml.ts';
import { volume } from '../../../support/extended.ts';
import { useOffice } from '../office/pool-for-test.ts';
import { useDirectConverter } from './direct-converter.ts';
import * as borders from './generated-borders.ts';
import * as controls from './generated-controls.ts';
import * as lines from './generated-lines.ts';
import * as lists from './generated-lists.ts';
import * as pages from './generated-pages.ts';
import * as pictures from './generated-pictures.ts';
import * as tables from './generated-tables.ts';
import * as text from './generated-text.ts';
import { documentOfHighlights, documentOfLinks, documentOfTableStyles } from './mutated-properties.ts';
import { documentOfPageEnds } from './page-end-documents.ts';

/** A document has the text, fonts, colours and pixels that LibreOffice gives it, or is left to LibreOffice. */

const comparer = new Comparer();
afterAll(() => comparer.close());
const office = useOffice();
const convertDirectly = useDirectConverter();

/** Whether a document was laid out directly. */
async function isLaidOutEqually(docx: Uint8Array): Promise<boolean> {
  const direct = convertDirectly(docx);
  if (direct === undefined) return false;
  const { pdf } = await office.pool.convert({ docx, refresh: false });
  expect((await comparer.compare(pdf, direct)).differences).toEqual([]);
  return true;
}

/** Documents of each kind; the nightly run multiplies the second number by four. */
const runs = volume(2, 20);
/** How many documents the numbers of `kinds` refer to. */
const allRuns = 50;
/** Few documents may have a smaller share that is laid out directly than all of them. */
const leastShare = 0.5;

// The same documents in each run, because two of a hundred generated tables differ in a pixel at a corner. The numbers
// are how many of 50 are laid out directly.
const kinds: readonly (readonly [name: string, documents: fc.Arbitrary<DocxInput>, leastDirect: number])[] = [
  ['tables with styles', tables.styledTable, 20],
  ['tables of all widths and places', tables.placedTable, 45],
  ['tables in tables', tables.tableInCell, 38],
  ['paragraphs with borders', borders.borderedParagraphs, 35],
  ['paragraphs that stay together at page ends', pages.chainsAtPageEnds, 35],
  ['paragraphs that begin pages and sections', pages.brokenPages, 12],
  ['words that continue in other runs', text.brokenWords, 20],
  ['words that are underlined once or twice', text.underlinedWords, 40],
  ['lists that share their numbers', lists.countedLists, 35],
  ['lists of styles', lists.listsOfStyles, 25],
  ['lines that are justified, centred or right', lines.alignedParagraphs, 27],
  ['lines with space between their characters', lines.spacedLines, 30],
  ['pages with borders', pages.borderedPages, 30],
  ['pictures in cells at page ends', pictures.picturesInCells, 25],
  ['pictures cut at their sides', pictures.croppedPictures, 45],
  ['pictures beside words', pictures.picturesInLines, 45],
  ['footnotes', pages.footnotes, 8],
  ['pictures anchored in text', pictures.anchoredPictures, 30],
  ['pictures anchored in headers and footers', pictures.picturesInStories, 25],
  ['pictures anchored in cells', pictures.anchoredInCells, 22],
  ['pictures over tables', pictures.picturesOverTables, 35],
  ['pictures with lines and colours', pictures.framedPictures, 22],
  ['pictures with text around them in headers and footers', pictures.wrappedInStories, 17],
  ['borders of all widths and colours that meet', tables.bordersThatMeet, 40],
  ['cells that take several rows', tables.mergedCells, 15],
  ['rows at page ends', tables.rowsOverPages, 15],
  ['rows over page ends', tables.splitRows, 15],
  ['rows that leave out columns', tables.rowsWithGaps, 30],
  ['paragraphs with automatic space', lines.automaticSpacing, 45],
  ['text of several heights in lines with space between them', lines.spacedHeights, 20],
  ['pictures in lines with space between them', pictures.spacedPictures, 20],
  ['paragraphs with borders of one or two lines', borders.paragraphsWithLines, 15],
  ['tables with borders of one or two lines', borders.tablesWithLines, 25],
  ['headers and footers of some pages', pages.storiesOfSomePages, 45],
  ['rows with borders of their own', tables.rowsWithExceptions, 30],
  ['content controls in tables', controls.controlsInTables, 25],
  ['tabs that are filled with characters', lines.filledTabs, 15],
  ['tabs that align decimal points', lines.decimalTabs, 25],
  ['headings, which are the outline', lists.headings, 12],
  ['words with slashes at the ends of lines', lines.addresses, 12],
  ['numbers and punctuation at the ends of lines', lines.businessText, 30],
  ['paragraphs, lists, tabs, tables, headers and footers', lines.mixtures, 30],
  ['documents as Word writes them', text.documentsOfWord, 12],
  ['spaces at which no line ends', text.noBreakSpaces, 14],
  ['paragraphs in all formats', text.paragraphsInAllFormats, 8],
];

test.each(kinds)('%s', async (_name, documents, leastDirect) => {
  let direct = 0;
  const property = fc.asyncProperty(documents, async (input) => {
    if (await isLaidOutEqually(buildDocx(input))) direct += 1;
  });
  await fc.assert(property, { seed: 1, numRuns: runs, endOnFailure: true });
  const share = runs < allRuns ? (leastShare * runs) / allRuns : 1;
  expect(direct).toBeGreaterThanOrEqual(Math.floor(leastDirect * share));
});

const examples = ['letter', 'invoice', 'contract', 'certificate', 'report'];

// Documents of every kind, with properties exchanged among them, fonts renamed, and links, blocks and formats added.
test('documents with random changes', async () => {
  const files = examples.map((name): Uint8Array => readFileSync(`examples/${name}.docx`));
  const generated = kinds.flatMap(([, documents]) => fc.sample(documents, { seed: 1, numRuns: 3 }).map(buildDocx));
  const source = fc.constantFrom(...files, ...generated);
  const property = fc.asyncProperty(source, source, fc.nat(), async (base, donor, seed) => {
    const mutant = mutateDocx(base, donor, seed);
    if (mutant !== undefined) await isLaidOutEqually(mutant.docx);
  });
  await fc.assert(property, { seed: 1, numRuns: volume(4, 80), endOnFailure: true });
});

const many = 'lorem ipsum dolor sit amet and/or incididunt Office fluffy VAT Te AWAY “quoted” 12,345.67 € '.repeat(3);
const sized = (size: number) => (content: string, format: string) => word.run(content, format + word.size(size));
const listLevels = (format: string, label: (level: number) => string, properties: string): string[] =>
  [0, 1, 2].map((at) =>
    word.level(at, format, label(at + 1), 500, 3).replace('</w:lvl>', `<w:rPr>${properties}</w:rPr></w:lvl>`),
  );

// Features that no kind of generated document has.
test.each<[string, DocxInput]>([
  [
    'content controls and almost A4 paper',
    {
      body: [
        word.control(word.paragraph(many).repeat(20), '<w:text/>'),
        word.paragraph('End', '<w:sectPr><w:pgSz w:w="11900" w:h="16840"/></w:sectPr>'),
        word.paragraph('Next'),
      ].join(''),
    },
  ],
  [
    'links, and underlined and struck text in several fonts and sizes',
    {
      body: ['Carlito', 'Liberation Serif', 'Liberation Sans']
        .flatMap((family) => [20, 22, 40].map((size) => word.font(family) + word.size(size)))
        .map((format) =>
          word.paragraph(
            word.run('underlined ', `${format}<w:u w:val="single"/>`) +
              word.run(many, `${format}<w:strike/><w:highlight w:val="yellow"/>`) +
              `<w:hyperlink r:id="rIdLink">${word.run(' a link', format)}</w:hyperlink>`,
          ),
        )
        .join(''),
      rels: [{ id: 'rIdLink', type: 'hyperlink', target: 'https://example.com/a b', external: true }],
    },
  ],
  ['links to addresses of all kinds', documentOfLinks],
  ['highlights of all colours, on shading and in tables', documentOfHighlights],
  ['tables with several headings, and the default style in tables', documentOfTableStyles],
  [
    'superscript and subscript',
    {
      body: [20, 22, 40]
        .map(sized)
        .map((run) =>
          word.paragraph(
            run('E = mc', '') +
              run('2 squared', '<w:vertAlign w:val="superscript"/>') +
              run('2 twice', '<w:vertAlign w:val="subscript"/>') +
              run(` ${many}`, ''),
          ),
        )
        .join(''),
    },
  ],
  [
    'lists with numbers and bullets of a font of symbols',
    word.document(
      Array.from({ length: 40 }, (_, at) => word.paragraph(many, word.item(at % 3, at < 30 ? 1 : 2))).join(''),
      {
        numbering: word.lists(
          listLevels('lowerLetter', (level) => `%${level})`, ''),
          listLevels('bullet', () => '\uf0b7', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'),
        ),
      },
    ),
  ],
  [
    'tabs to default stops and inside hanging indents',
    word.document(
      Array.from({ length: 12 }, (_, at) =>
        word.paragraph(
          word.run('a'.repeat(at + 1)) + word.tab + word.run('lorem ipsum dolor') + word.tab + word.run('end'),
          at % 2 === 0
            ? '<w:ind w:left="900" w:hanging="900"/>'
            : '<w:tabs><w:tab w:val="left" w:pos="1500"/></w:tabs>',
        ),
      ).join(''),
      { settings: '<w:defaultTabStop w:val="2000"/>' },
    ),
  ],
  [
    'no section',
    {
      parts: {
        'word/document.xml': `<w:document xmlns:w="${word.namespace}"><w:body>${word.paragraph(many).repeat(20)}</w:body></w:document>`,
      },
    },
  ],
  ['paragraphs, rows and tables that stay together at page ends', documentOfPageEnds],
])('%s: laid out directly', async (_name, input) => {
  expect(await isLaidOutEqually(buildDocx(input))).toBe(true);
});

test.each(examples)('the proof of the example %s finds no difference', async (name) => {
  const template = readFileSync(`examples/${name}.docx`);
  const { schema, example } = inspectTemplate(template);
  const prepared = prepareTemplate(template, 'pdf');
  const filled = varyData(schema, example).flatMap(({ data }) => {
    try {
      return [renderTemplate(prepared, Buffer.from(JSON.stringify(data))).file];
    } catch (error) {
      expect(error).toMatchObject({ code: 'data_invalid' });
      return [];
    }
  });
  let direct = 0;
  const enough = volume(3, filled.length);
  for (const file of filled) if (direct < enough && (await isLaidOutEqually(file))) direct += 1;
  expect(direct).toBeGreaterThanOrEqual(3);
});

const allLocales = 'en-US de-DE de-CH fr-FR es-ES it-IT pt-BR nl-NL pl-PL cs-CZ sv-SE fi-FI ru-RU'.split(' ');
const locales = allLocales.slice(0, volume(4, allLocales.length));

test.each(locales)('amounts, percentages and dates formatted for %s are laid out directly', async (locale) => {
  const template = [
    'Please pay {sum | currency:"EUR"} until {day | date:"long"}.',
    'This includes {share | percent} in advance: {half | currency:"EUR"}.',
  ];
  const prepared = prepareTemplate(buildDocx({ body: template.map((line) => paragraph(line)).join('') }), 'pdf');
  const data = { sum: 1_234_567.5, half: 617_283.75, share: 0.5, day: '2026-12-03' };
  const { file } = renderTemplate(prepared, Buffer.from(JSON.stringify(data)), { locale });
  expect(await isLaidOutEqually(file)).toBe(true);
});

test('text of the automatic colour is white on the same shadings as in LibreOffice', async () => {
  const rows = Array.from({ length: 64 }, (_, index) => {
    const level = index * 4 + 1;
    const fill = word.shaded(level.toString(16).padStart(2, '0').repeat(3));
    const shown = `text ${level}`;
    return word.row([
      word.cell(2000, shown, fill),
      word.cell(2000, word.paragraph(shown, fill)),
      word.cell(2000, word.paragraph(word.run(shown, fill))),
    ]);
  });
  expect(await isLaidOutEqually(buildDocx({ body: `${word.table([2000, 2000, 2000], rows)}<w:p/>` }))).toBe(true);
});
