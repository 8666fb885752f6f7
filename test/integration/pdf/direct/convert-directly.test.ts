import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareWords } from '../../../../src/admin/engine-check/compare/compare-words.ts';
import { parseWords } from '../../../../src/admin/engine-check/compare/read-words.ts';
import { type DirectConverter, openDirectConverter } from '../../../../src/worker/pdf/direct/convert-directly.ts';
import { UnknownFeature } from '../../../../src/worker/pdf/direct/unknown-feature.ts';
import { fontSettings } from '../../../../src/worker/pdf/office/font-settings.ts';
import { buildDocx, type DocxInput } from '../../../support/documents/docx-builder.ts';
import { startTestPool, type TestPool, textOf } from '../office/office-fixture.ts';
import { documentOfPageEnds } from './page-end-documents.ts';

const words =
  'lorem ipsum dolor sit amet elit-sed and/or incididunt Office fluffy VAT Te AWAY “quoted” (brackets) 12,345.67 € naïve – — 3–4 rock-’n’-roll e.g. 50% a@b.c https://example.com/path?x=1 10/12/2026 one…'.split(
    ' ',
  );
/** Words in an order that looks random and is always the same. */
const wordsOf = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, i) => words[(seed * 7 + i * i * 3 + i * 5) % words.length]).join(' ');
const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (content: string, properties = ''): string => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const paragraphs = (count: number, properties: (i: number) => string, runProperties = ''): string =>
  Array.from({ length: count }, (_, i) =>
    paragraph(run(wordsOf(i, 5 + ((i * 13) % 50)), runProperties), properties(i)),
  ).join('');
const field = (code: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('1')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

const borders = `<w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="8" w:space="0" w:color="1F5B45"/>`)
  .join('')}</w:tblBorders>`;
const columns = [1800, 3500, 3400];
const table = (rows: number, rowProperties: string, properties: string, cellParagraph = ''): string => {
  const row = (index: number): string =>
    `<w:tr><w:trPr>${rowProperties}${index === 0 ? '<w:tblHeader/>' : ''}</w:trPr>${columns
      .map(
        (width, column) =>
          `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${column === 1 ? '<w:shd w:val="clear" w:fill="EEF4F0"/><w:vAlign w:val="center"/>' : ''}</w:tcPr>${paragraph(run(`r${index} ${wordsOf(index + column, (index * column) % 9)}`), cellParagraph)}</w:tc>`,
      )
      .join('')}</w:tr>`;
  const grid = columns.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
  return `<w:tbl><w:tblPr><w:tblW w:w="8700" w:type="dxa"/><w:tblLayout w:type="fixed"/>${properties}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${Array.from({ length: rows }, (_, index) => row(index)).join('')}</w:tbl>`;
};

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const level = (index: number, format: string, text: string, properties = ''): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="3"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${(index + 1) * 500}" w:hanging="500"/></w:pPr>${properties}</w:lvl>`;
const symbols = '<w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr>';
const numberingXml = `<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="7">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}${level(2, 'lowerRoman', '%3.')}</w:abstractNum><w:abstractNum w:abstractNumId="8">${[0, 1, 2].map((index) => level(index, 'bullet', index === 1 ? '–' : '\uf0b7', index === 1 ? '' : symbols)).join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num></w:numbering>`;

const documents: Readonly<Record<string, DocxInput>> = {
  'paragraphs of many lengths over several pages': { body: paragraphs(60, () => '') },
  'another font, bold and italic': {
    body:
      paragraphs(15, () => '', '<w:rFonts w:ascii="Liberation Serif" w:hAnsi="Liberation Serif"/><w:sz w:val="25"/>') +
      paragraphs(15, () => '', '<w:b/>') +
      paragraphs(15, () => '', '<w:i/><w:kern w:val="2"/>'),
  },
  'sizes in one line': {
    body: Array.from({ length: 20 }, (_, i) =>
      paragraph(
        run(`${wordsOf(i, 9)} `) + run(wordsOf(i, 1 + (i % 5)), '<w:sz w:val="32"/>') + run(` ${wordsOf(i, 6)}`),
      ),
    ).join(''),
  },
  'spacing of paragraphs and lines': {
    body: paragraphs(
      40,
      (i) =>
        `<w:spacing w:before="${(i % 3) * 100}" w:after="${(i % 4) * 60}" w:line="${[240, 276, 300, 360][i % 4]}" w:lineRule="${['auto', 'auto', 'atLeast', 'exact', 'auto'][i % 5]}"/>`,
    ),
  },
  'alignment and indents': {
    body: paragraphs(
      40,
      (i) =>
        `<w:ind w:left="${(i % 3) * 300}" w:right="${(i % 2) * 500}" w:firstLine="${(i % 4) * 100}"/><w:jc w:val="${['left', 'center', 'right'][i % 3]}"/>`,
    ),
  },
  'paragraphs that stay together': {
    body: paragraphs(60, (i) => (i % 3 === 0 ? '<w:keepNext/>' : i % 5 === 0 ? '<w:keepLines/>' : '')),
  },
  'tables with borders, shading and heights': {
    body: paragraph(run('Above')) + table(24, '<w:trHeight w:val="420"/>', borders) + paragraph(run('Below')),
  },
  'a long table with a repeated heading': {
    body: table(90, '<w:cantSplit/>', borders) + paragraph(run('Below')),
  },
  'spacing in cells': {
    body:
      table(12, '', '', '<w:spacing w:before="60" w:after="40" w:line="276" w:lineRule="auto"/>') +
      paragraph(run('Below')),
  },
  'pairs of letters that are kerned': {
    body: paragraphs(
      20,
      () => '',
      '<w:rFonts w:ascii="Liberation Serif" w:hAnsi="Liberation Serif"/><w:kern w:val="2"/><w:sz w:val="32"/>',
    ),
  },
  'a table without a width of its own': {
    body:
      table(20, '', borders).replace(
        '<w:tblW w:w="8700" w:type="dxa"/><w:tblLayout w:type="fixed"/>',
        '<w:tblW w:w="0" w:type="auto"/>',
      ) + paragraph(run('Below')),
  },
  'content controls and almost A4 paper': {
    body: `<w:sdt><w:sdtPr><w:text/></w:sdtPr><w:sdtContent>${paragraphs(20, () => '')}</w:sdtContent></w:sdt>${paragraph(run('End'), '<w:sectPr><w:pgSz w:w="11900" w:h="16840"/></w:sectPr>')}${paragraph(run('Next'))}`,
  },
  'lines at, shading behind and links in text': {
    body: ['Carlito', 'Liberation Serif', 'Liberation Sans']
      .flatMap((family) =>
        [20, 22, 40].map((size) => `<w:rFonts w:ascii="${family}" w:hAnsi="${family}"/><w:sz w:val="${size}"/>`),
      )
      .map((font, index) =>
        paragraph(
          run('plain ', font) +
            run('underlined ', `${font}<w:u w:val="single"/>`) +
            run('struck ', `${font}<w:strike/>`) +
            run(wordsOf(index, 25), `${font}<w:highlight w:val="yellow"/>`) +
            `<w:hyperlink r:id="rIdLink">${run(' a link', font)}</w:hyperlink>`,
        ),
      )
      .join(''),
    rels: [{ id: 'rIdLink', type: 'hyperlink', target: 'https://example.com/a b', external: true }],
  },
  'words that are longer than their lines': {
    body:
      paragraph(run(`${wordsOf(1, 30)} ${'x'.repeat(300)} and ${'yW'.repeat(150)} end`), '<w:jc w:val="center"/>') +
      paragraph(run(`see https://www.example.com/${'abcdefghijklmnop-'.repeat(15)} end`)),
  },
  'superscript and subscript': {
    body: [20, 22, 40]
      .map((size) =>
        paragraph(
          run('E = mc', `<w:sz w:val="${size}"/>`) +
            run('2 squared', `<w:sz w:val="${size}"/><w:vertAlign w:val="superscript"/>`) +
            run(' H', `<w:sz w:val="${size}"/>`) +
            run('2 twice', `<w:sz w:val="${size}"/><w:vertAlign w:val="subscript"/>`) +
            run(` ${wordsOf(size, 20)}`, `<w:sz w:val="${size}"/>`),
        ),
      )
      .join(''),
  },
  'page breaks in, behind and between paragraphs': {
    body: [
      paragraph(run('Above')),
      paragraph(
        `${run('before the break')}<w:r><w:br w:type="page"/></w:r>${run(wordsOf(3, 60))}`,
        '<w:spacing w:before="200" w:after="300"/><w:ind w:firstLine="400"/>',
      ),
      paragraph(`${run('next')}<w:r><w:br w:type="page"/></w:r>`, '<w:spacing w:before="200"/>'),
      paragraph(run('last'), '<w:spacing w:before="200"/>'),
      paragraph('<w:r><w:br w:type="page"/></w:r>'),
      paragraphs(5, () => '<w:spacing w:before="240"/>'),
    ].join(''),
  },
  'lists with numbers and bullets': {
    body: Array.from({ length: 40 }, (_, i) =>
      paragraph(
        run(wordsOf(i, 10 + (i % 30))),
        `<w:numPr><w:ilvl w:val="${i % 3}"/><w:numId w:val="${i < 30 ? 1 : 2}"/></w:numPr>`,
      ),
    ).join(''),
    parts: { 'word/numbering.xml': numberingXml },
    rels: [{ id: 'rIdNumbering', type: 'numbering', target: 'numbering.xml' }],
  },
  'tabs to stops of the document and inside of hanging indents': {
    body: Array.from({ length: 12 }, (_, i) =>
      paragraph(
        `${run('a'.repeat(i + 1))}<w:r><w:tab/></w:r>${run(wordsOf(i, 3))}<w:r><w:tab/></w:r>${run('end')}`,
        i % 2 === 0 ? '<w:ind w:left="900" w:hanging="900"/>' : '<w:tabs><w:tab w:val="left" w:pos="1500"/></w:tabs>',
      ),
    ).join(''),
    parts: {
      'word/settings.xml': `<w:settings xmlns:w="${word}"><w:defaultTabStop w:val="2000"/></w:settings>`,
    },
    rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
  },
  'no section': {
    parts: {
      'word/document.xml': `<w:document xmlns:w="${word}"><w:body>${paragraphs(40, () => '')}</w:body></w:document>`,
    },
  },
  'a header and a footer with page numbers': {
    body: paragraphs(50, () => ''),
    headers: [paragraph(run('Report'), '<w:jc w:val="center"/>')],
    footers: [paragraph(run('Page ') + field('PAGE') + run(' of ') + field('NUMPAGES'), '<w:jc w:val="right"/>')],
  },
};

let office: TestPool;
let converter: DirectConverter;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docmill-direct-'));
  const settings = join(folder, 'fonts.conf');
  await writeFile(settings, fontSettings({ drawsPictureFonts: true }));
  converter = await openDirectConverter(settings);
  office = await startTestPool();
}, 120_000);
afterAll(async () => {
  await office.close();
  await rm(folder, { recursive: true, force: true });
});

const built: readonly (readonly [string, Buffer])[] = [
  ...Object.entries(documents).map(([name, input]): [string, Buffer] => [name, buildDocx(input)]),
  ['paragraphs, rows and tables that stay together at page ends', documentOfPageEnds],
];

describe('a document is laid out as LibreOffice lays it out', () => {
  test.each(built)('%s', { timeout: 60_000 }, async (_name, docx) => {
    const direct = converter.convert(docx);
    const { pdf, pages } = await office.pool.convert({ docx });
    const [theirs, ours] = [
      parseWords(await textOf(pdf, '-bbox')),
      parseWords(await textOf(Buffer.from(direct.pdf), '-bbox')),
    ];
    expect([direct.pages, ours.pages.length]).toEqual([pages, pages]);
    expect(theirs.words.length).toBeGreaterThan(40);
    const { lost, added, repaged, movedPtByPage } = compareWords(theirs.words, ours.words, { masks: [], movedPt: 0 });
    expect({ lost, added, repaged }).toEqual({ lost: 0, added: 0, repaged: 0 });
    expect(Math.max(...movedPtByPage.values())).toBeLessThanOrEqual(0.75);
  });
});

test('equal documents give equal bytes', () => {
  const docx = buildDocx({ body: paragraphs(5, () => '') });
  expect(Buffer.from(converter.convert(docx).pdf)).toEqual(Buffer.from(converter.convert(docx).pdf));
});

test.each([
  ['another script', paragraph(run('שלום')), 'characters of other scripts'],
  ['a drawing', '<w:p><w:r><w:drawing/></w:r></w:p>', 'w:drawing'],
  ['an unknown property', paragraph(run('text', '<w:effect w:val="blink"/>')), 'w:effect'],
])('%s is left to LibreOffice, with the reason', (_name, body, reason) => {
  expect(() => converter.convert(buildDocx({ body }))).toThrow(new UnknownFeature(reason));
});
