import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { varyData } from '../../../../src/worker/direct-pdf/vary-data.ts';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { type PreparedTemplate, prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { Comparer } from '../../../../src/worker/pdf/compare/comparer.ts';
import { type DirectConverter, openDirectConverter } from '../../../../src/worker/pdf/direct/convert-directly.ts';
import { UnknownFeature } from '../../../../src/worker/pdf/direct/unknown-feature.ts';
import { fontSettings } from '../../../../src/worker/pdf/office/font-settings.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { volume } from '../../../support/extended.ts';
import { startTestPool, type TestPool } from '../office/office-fixture.ts';
import { paragraphsWithLines, tablesWithLines } from './generated-borders.ts';
import { brokenPages } from './generated-breaks.ts';
import { chainsAtPageEnds } from './generated-chains.ts';
import { contentControls, controlsInTables } from './generated-controls.ts';
import { borderedParagraphs, placedTable, styledTable, tableInCell, tableWithFirstRow } from './generated-documents.ts';
import { formattedWords } from './generated-formats.ts';
import { headings } from './generated-headings.ts';
import { alignedParagraphs, decimalTabs, filledTabs, spacedLines } from './generated-lines.ts';
import { countedLists, listsOfStyles } from './generated-lists.ts';
import { addresses, businessText, mixtures } from './generated-mixtures.ts';
import { noBreakSpaces } from './generated-no-break.ts';
import { borderedPages, croppedPictures, footnotes, picturesInCells, picturesInLines } from './generated-pages.ts';
import { paragraphsInAllFormats } from './generated-paragraphs.ts';
import {
  anchoredInCells,
  anchoredPictures,
  framedPictures,
  picturesInStories,
  picturesOverTables,
  wrappedInStories,
} from './generated-pictures.ts';
import { brokenWords, underlinedWords } from './generated-runs.ts';
import { automaticSpacing, spacedHeights, spacedPictures } from './generated-spacing.ts';
import { storiesOfSomePages } from './generated-stories.ts';
import {
  bordersThatMeet,
  mergedCells,
  rowsOverPages,
  rowsWithExceptions,
  rowsWithGaps,
  splitRows,
} from './generated-tables.ts';
import { documentsOfWord } from './generated-word.ts';

/** Text, fonts, colours and pixels of generated documents are those of LibreOffice, or the document is left to it. */

const comparer = new Comparer();
let office: TestPool;
let converter: DirectConverter;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docmill-generated-'));
  const settings = join(folder, 'fonts.conf');
  await writeFile(settings, fontSettings({ drawsPictureFonts: true }));
  converter = await openDirectConverter(settings);
  office = await startTestPool();
}, 120_000);
afterAll(async () => {
  await comparer.close();
  await office.close();
  await rm(folder, { recursive: true, force: true });
});

/** Whether a document was laid out directly. `refresh`: LibreOffice refreshes its fields first, as the service does. */
async function isLaidOutEqually(docx: Uint8Array, refresh = false): Promise<boolean> {
  let direct: Uint8Array;
  try {
    direct = converter.convert(docx).pdf;
  } catch (error) {
    expect(error).toBeInstanceOf(UnknownFeature);
    return false;
  }
  const { pdf } = await office.pool.convert({ docx, refresh });
  expect((await comparer.compare(pdf, direct)).differences).toEqual([]);
  return true;
}

/** A filled template; undefined for data that it does not accept. */
function fill(prepared: PreparedTemplate, data: unknown): Uint8Array | undefined {
  try {
    return renderTemplate(prepared, Buffer.from(JSON.stringify(data))).file;
  } catch (error) {
    expect(error).toMatchObject({ code: 'data_invalid' });
    return undefined;
  }
}

/** Documents of each kind. */
const allRuns = 50;
const runs = volume(3, allRuns);
/** The first documents may be laid out directly less often than all of them. */
const leastShare = 0.5;

// The same documents in each run: of a hundred generated tables, two have a pixel of a corner that is another. The numbers are how many of 50
// are laid out directly.
test.each([
  ['tables with styles', styledTable, 20],
  ['tables of all widths and places', placedTable, 45],
  ['tables in tables', tableInCell, 38],
  ['paragraphs with borders', borderedParagraphs, 35],
  ['paragraphs that stay together at page ends', chainsAtPageEnds, 35],
  ['paragraphs that begin pages and sections', brokenPages, 12],
  ['content controls', contentControls, 25],
  ['words that go on in other runs', brokenWords, 20],
  ['words that are underlined once or twice', underlinedWords, 40],
  ['lists that share their numbers', countedLists, 35],
  ['lists of styles', listsOfStyles, 25],
  ['lines that are justified, centred or right', alignedParagraphs, 27],
  ['lines with space between their characters', spacedLines, 30],
  ['pages with borders', borderedPages, 30],
  ['pictures in cells at page ends', picturesInCells, 25],
  ['pictures cut at their sides', croppedPictures, 45],
  ['pictures beside words', picturesInLines, 45],
  ['footnotes', footnotes, 8],
  ['pictures anchored in text', anchoredPictures, 30],
  ['pictures anchored in headers and footers', picturesInStories, 25],
  ['pictures anchored in cells', anchoredInCells, 22],
  ['pictures over tables', picturesOverTables, 35],
  ['pictures with lines and colours', framedPictures, 22],
  ['pictures with text around them in headers and footers', wrappedInStories, 17],
  ['borders of all widths and colours that meet', bordersThatMeet, 40],
  ['cells that take several rows', mergedCells, 15],
  ['rows at page ends', rowsOverPages, 15],
  ['rows over page ends', splitRows, 15],
  ['rows that leave out columns', rowsWithGaps, 30],
  ['paragraphs with automatic space', automaticSpacing, 45],
  ['text of several heights in lines with space between them', spacedHeights, 20],
  ['pictures in lines with space between them', spacedPictures, 20],
  ['paragraphs with borders of one or two lines', paragraphsWithLines, 15],
  ['tables with borders of one or two lines', tablesWithLines, 25],
  ['headers and footers of some pages', storiesOfSomePages, 45],
  ['rows with borders of their own', rowsWithExceptions, 30],
  ['content controls in tables', controlsInTables, 25],
  ['tabs that are filled with characters', filledTabs, 15],
  ['tabs at which decimal points stand below each other', decimalTabs, 25],
  ['headings, which are the outline', headings, 12],
  ['words with slashes at the ends of lines', addresses, 12],
  ['numbers and punctuation at the ends of lines', businessText, 30],
  ['paragraphs, lists, tabs, tables, headers and footers', mixtures, 30],
  ['documents as Word writes them', documentsOfWord, 12],
  ['words in all formats', formattedWords, 11],
  ['spaces at which no line ends', noBreakSpaces, 14],
  ['paragraphs in all formats', paragraphsInAllFormats, 8],
])('%s', { timeout: 300_000 }, async (_name, documents, leastDirect) => {
  let direct = 0;
  const property = fc.asyncProperty(documents, async (input) => {
    if (await isLaidOutEqually(buildDocx(input))) direct += 1;
  });
  await fc.assert(property, { seed: 1, numRuns: runs, endOnFailure: true });
  expect(direct).toBeGreaterThanOrEqual(
    runs < allRuns ? Math.floor((leastDirect * leastShare * runs) / allRuns) : leastDirect,
  );
});

test.each(['letter', 'invoice', 'contract', 'certificate', 'report'])(
  'the proof of the example %s finds no difference',
  { timeout: 120_000 },
  async (name) => {
    const template = readFileSync(`examples/${name}.docx`);
    const { schema, example } = inspectTemplate(template);
    const prepared = prepareTemplate(template, 'pdf');
    let direct = 0;
    for (const { data } of varyData(schema, example)) {
      const file = fill(prepared, data);
      if (file !== undefined && (await isLaidOutEqually(file))) direct += 1;
    }
    expect(direct).toBeGreaterThanOrEqual(3);
  },
);

const locales = 'en-US de-DE de-CH fr-FR es-ES it-IT pt-BR nl-NL pl-PL cs-CZ sv-SE fi-FI ru-RU'.split(' ');

test.each(locales)('amounts, shares and dates in the way of %s are laid out directly', async (locale) => {
  const lines = [
    'Please pay {sum | currency:"EUR"} until {day | date:"long"}.',
    'This includes {share | percent} in advance: {half | currency:"EUR"}.',
  ];
  const prepared = prepareTemplate(buildDocx({ body: lines.map((line) => paragraph(line)).join('') }), 'pdf');
  const data = { sum: 1_234_567.5, half: 617_283.75, share: 0.5, day: '2026-12-03' };
  const { file } = renderTemplate(prepared, Buffer.from(JSON.stringify(data)), { locale });
  expect(await isLaidOutEqually(file)).toBe(true);
});

test('text of the automatic colour is white on the same shading', { timeout: 60_000 }, async () => {
  const levels = Array.from({ length: 64 }, (_, index) => index * 4 + 1);
  const grey = (level: number): string => {
    const shown = `<w:shd w:val="clear" w:fill="${level.toString(16).padStart(2, '0').repeat(3)}"/>`;
    const cell = (cellProperties: string, properties: string, runProperties: string): string =>
      `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/>${cellProperties}</w:tcPr><w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${runProperties}</w:rPr><w:t>text ${level}</w:t></w:r></w:p></w:tc>`;
    return `<w:tr>${cell(shown, '', '')}${cell('', shown, '')}${cell('', '', shown)}</w:tr>`;
  };
  const grid = `<w:tblGrid>${'<w:gridCol w:w="2000"/>'.repeat(3)}</w:tblGrid>`;
  const table = `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr>${grid}${levels.map(grey).join('')}</w:tbl>`;
  expect(await isLaidOutEqually(buildDocx({ body: `${table}<w:p/>` }))).toBe(true);
});

test.each([
  ['inside borders of an only row', 0x20, 1, 2, 'borders inside of one cell'],
  ['a first cell without the border of its table', 0x20, 2, 2, 'a first cell with another border than its table'],
])('%s are left to LibreOffice', (_name, look, rows, columns, reason) => {
  const borders =
    rows === 1 ? '<w:insideH w:val="single" w:sz="4" w:color="000000"/>' : '<w:left w:val="nil"/><w:top w:val="nil"/>';
  expect(() => converter.convert(buildDocx(tableWithFirstRow(borders, look, rows, columns)))).toThrow(
    new UnknownFeature(reason),
  );
});

test('a paragraph that LibreOffice leaves behind at a page end, as the 25th of a short document, is left to it', () => {
  const line = (text: string, height: number, properties = ''): string =>
    `<w:p><w:pPr>${properties}<w:spacing w:before="0" w:after="0" w:line="${height}" w:lineRule="exact"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const outcomeOf = (place: number): string => {
    const [above, free] = [place - 1, 13_958 - 600];
    const height = Math.floor(free / above);
    const body =
      line('above', height).repeat(above - 1) +
      line('above', free - height * (above - 1)) +
      line('kept', 500, '<w:keepNext/>') +
      line('below', 500);
    try {
      return `${converter.convert(buildDocx({ body })).pages} pages`;
    } catch (error) {
      return (error as UnknownFeature).message;
    }
  };
  expect([24, 25, 26].map(outcomeOf)).toEqual(['2 pages', 'blocks that LibreOffice may part at a page end', '2 pages']);
});
