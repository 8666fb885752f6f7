import { PdfDict, type PdfStream } from '@libpdf/core';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { checkPdf } from '../../../src/worker/pdf/conformance/check-pdf.ts';
import { openPdf } from '../../../src/worker/pdf/conformance/open-pdf.ts';
import { standards as allStandards, type Standard } from '../../../src/worker/pdf/conformance/standards.ts';
import { readStructure } from '../../../src/worker/pdf/conformance/structure/read-structure.ts';
import {
  buildDocx,
  type DocxInput,
  paragraph,
  relationshipsXml,
} from '../../../test/support/documents/docx-builder.ts';
import * as word from '../../../test/support/documents/word-xml.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { openDirectConverter } from '../src/open-direct-converter.ts';
import type { Standards } from '../src/write/standards.ts';

/** PDFs that declare PDF/A and PDF/UA, and their content for screen readers. */
const converter = await openDirectConverter(testFonts);
const convert = (input: DocxInput, standards?: Standards): Uint8Array =>
  converter.convert(openPackage(buildDocx(input)), { standards }).pdf;
const accessible = { title: 'Offer 7' };

const address = 'https://example.com/terms';
const rels = [
  { id: 'terms', type: 'hyperlink', target: address, external: true },
  { id: 'picture', type: 'image', target: 'media/picture.png' },
];
const link = (tip = ''): string =>
  `<w:p><w:hyperlink r:id="terms"${tip}>${word.run('all ')}${word.run('terms')}</w:hyperlink></w:p>`;
const decorative =
  '<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>';
const picture = (attributes: string, extensions = ''): string => {
  const extent = word.extent(1000, 500);
  const about = `<wp:docPr id="1" name="Picture" ${attributes}>${extensions}</wp:docPr>`;
  const inline = `<wp:inline distL="0" distR="0"><wp:extent ${extent}/>${about}${word.graphic('picture', extent)}`;
  return `<w:p><w:r><w:drawing>${inline}</wp:inline></w:drawing></w:r></w:p>`;
};
const heading = (text: string, level: number): string => word.paragraph(text, `<w:outlineLvl w:val="${level}"/>`);
const item = (level: number): string => word.paragraph('item', word.item(level));
const cell = (content: string, properties = ''): string => word.cell(2000, content, properties);
const rows = [
  word.row([cell(paragraph('Item')) + cell(paragraph('Price'))], '<w:tblHeader/>'),
  word.row([cell(paragraph('wide'), '<w:gridSpan w:val="2"/>')]),
  word.row([cell(link()) + cell('<w:p/>')]).repeat(60),
];
const numberOfNote = (content: string): string => word.run(content, '<w:rStyle w:val="NoteNumber"/>');
const noteStyle = word.style('NoteNumber', {
  type: 'character',
  name: 'footnote reference',
  run: '<w:vertAlign w:val="superscript"/>',
});
const noted = (id: number): string =>
  word.paragraph(word.run('text') + numberOfNote(`<w:footnoteReference w:id="${id}"/>`));
const note = word.paragraph(numberOfNote('<w:footnoteRef/>') + word.run(' note'));
const plain = word.document(
  [
    [heading('Offer', 0), noted(1), noted(2), link(), link(' w:tooltip="A tip"'), item(0), item(1), item(0)],
    [picture('descr="A dot" title="Dot"'), picture('descr=""', decorative)],
    [word.paragraph('More', '<w:pageBreakBefore/>'), word.table([2000, 2000], rows, word.fixedWidth(4000))],
    [paragraph('End')],
  ]
    .flat()
    .join(''),
  {
    styles: word.styles({}, word.normal(), noteStyle),
    numbering: word.lists([word.level(0, 'decimal', '%1.', 360), word.level(1, 'bullet', '•', 360)]),
  },
);
const everything: DocxInput = {
  ...plain,
  rels: [...(plain.rels ?? []), ...rels],
  footnotes: [note, note],
  headers: [link()],
  footers: [word.paragraph('footer', word.shaded('EEEEEE'))],
  parts: {
    ...plain.parts,
    // Half transparent.
    'word/media/picture.png': PNG.sync.write(
      Object.assign(new PNG({ width: 2, height: 2 }), { data: Buffer.alloc(16, 127) }),
    ),
    'word/_rels/header1.xml.rels': relationshipsXml(rels),
  },
};

async function brokenRules(pdf: Uint8Array, standard: Standard): Promise<readonly string[]> {
  const [report] = (await checkPdf(pdf, [standard])).standards;
  return report?.failures.map(({ rule }) => rule) ?? ['no report'];
}

test.each<[string, Standards]>([
  ['PDF/A-2b', { archive: 'PDF/A-2b' }],
  ['PDF/A-2u', { archive: 'PDF/A-2u' }],
  ['PDF/A-3b', { archive: 'PDF/A-3b' }],
  ['PDF/UA-1', { accessible }],
  ['PDF/A-2u and PDF/UA-1', { archive: 'PDF/A-2u', accessible }],
])('a file conforms to %s, and declares nothing else', async (name, declared) => {
  const pdf = convert(everything, declared);
  // Level U includes level B.
  const met = allStandards.filter((one) => name.includes(one) || (one === 'PDF/A-2b' && name.includes('PDF/A-2u')));
  for (const standard of allStandards) {
    const broken = await brokenRules(pdf, standard);
    if (met.includes(standard)) expect(broken, standard).toEqual([]);
    else expect(broken.join(), standard).toMatch(/identifier/);
  }
});

test('the pages of a file are the same whatever it declares, and a plain file has no metadata', async () => {
  const [one, other] = await Promise.all(
    [{}, { archive: 'PDF/A-2u', accessible } as const].map((declared) => openPdf(convert(everything, declared))),
  );
  const contentOf = (file: typeof one) =>
    file?.pages.map(({ dict }) =>
      Buffer.from(file.decode(file.get(dict, 'Contents') as PdfStream) ?? []).toString('latin1'),
    );
  expect(contentOf(one)).toEqual(contentOf(other));
  expect([one?.catalog.has('Metadata'), other?.catalog.has('Metadata')]).toEqual([false, true]);
});

test('the metadata agrees with the document information, and its texts are escaped', async () => {
  const core =
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Tom &amp; Ann &lt;é&gt;&#1;</dc:title><dc:subject>Terms</dc:subject><dc:creator>Ada</dc:creator><cp:keywords>a, b</cp:keywords><dcterms:created>2026-01-05T09:00:00.123Z</dcterms:created></cp:coreProperties>';
  const relationship = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties';
  const ofPackage = [
    { id: 'rId1', type: 'officeDocument', target: 'word/document.xml' },
    { id: 'rId2', type: relationship, target: 'docProps/core.xml' },
  ];
  const pdf = convert(
    {
      body: paragraph('text'),
      parts: { 'docProps/core.xml': core, '_rels/.rels': relationshipsXml(ofPackage) },
      contentTypes: { 'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml' },
    },
    { archive: 'PDF/A-2b', accessible },
  );
  // Only the rules of PDF/A-1 compare the two. The file breaks others of its rules, because it has compressed objects.
  expect(await brokenRules(pdf, 'PDF/A-1b')).not.toContain('metadata-agrees');
  expect(await brokenRules(pdf, 'PDF/UA-1')).toEqual([]);
  const packet = Buffer.from(pdf).toString();
  expect(packet).toContain('Tom &amp; Ann &lt;é&gt;</rdf:li>');
  expect(packet).toContain('<xmp:CreateDate>2026-01-05T09:00:00Z<');
});

test('an accessible file has the given title and a language only where its document has none', async () => {
  const file = await openPdf(convert({ body: paragraph('text') }, { accessible }));
  expect(file.text(file.dict(file.trailer, 'Info'), 'Title')).toBe('Offer 7');
  expect(file.text(file.catalog, 'Lang')).toBe('en-US');
  const archived = await openPdf(convert({ body: paragraph('text') }, { archive: 'PDF/A-2b' }));
  expect([archived.dict(archived.trailer, 'Info')?.has('Title'), archived.catalog.has('Lang')]).toEqual([false, false]);
});

test.each([
  ['figure-alt', paragraph('x') + picture('descr=" "')],
  ['heading-first', heading('Deep', 2)],
  ['heading-skipped', heading('One', 0) + heading('Three', 2)],
])('what the document lacks is not made up: %s', async (rule, body) => {
  const pdf = convert({ ...everything, body, footnotes: [] }, { archive: 'PDF/A-2u', accessible });
  expect(await brokenRules(pdf, 'PDF/UA-1')).toEqual([rule]);
  expect(await brokenRules(pdf, 'PDF/A-2u')).toEqual([]);
});

test('links are described by their author or their words, and pictures by title and text', async () => {
  const file = await openPdf(convert(everything));
  const { elements, parentOf } = readStructure(file);
  const described = file.pages.map(({ dict }) =>
    (file.array(dict, 'Annots') ?? []).flatMap((each) =>
      each instanceof PdfDict ? [file.text(each, 'Contents')] : [],
    ),
  );
  expect(described[0]).toEqual(['1', '2', 'all terms', 'A tip', 'all terms', '1', '2']);
  const [, , one] = file.array(file.pages[0]?.dict, 'Annots') ?? [];
  expect(parentOf(file.number(one as PdfDict, 'StructParent'))).toMatchObject({ role: 'Link' });
  expect(elements.filter(({ role }) => role === 'Figure').map(({ alternativeText }) => alternativeText)).toEqual([
    'Dot - A dot',
  ]);
});

test('a link of several lines is one element', async () => {
  const file = await openPdf(
    convert({
      ...everything,
      headers: [],
      body: `<w:p><w:hyperlink r:id="terms">${word.run('all of the terms '.repeat(12))}</w:hyperlink></w:p>`,
    }),
  );
  const { parentOf } = readStructure(file);
  const parts = file.array(file.pages[0]?.dict, 'Annots') ?? [];
  expect(parts.length).toBeGreaterThan(1);
  expect(new Set(parts.map((part) => parentOf(file.number(part as PdfDict, 'StructParent')))).size).toBe(1);
});

test('lists say how their items are numbered, and headers and footers that they repeat', async () => {
  const file = await openPdf(convert(everything));
  const lists = readStructure(file).elements.filter(({ role }) => role === 'L');
  expect(lists.map(({ dict }) => file.name(file.dict(dict, 'A'), 'ListNumbering'))).toEqual(['Decimal', 'Disc']);
  const content = Buffer.from(file.decode(file.get(file.pages[0]?.dict, 'Contents') as PdfStream) ?? []).toString(
    'latin1',
  );
  for (const story of ['Header', 'Footer'])
    expect(content).toContain(`/Artifact <</Type /Pagination /Subtype /${story}>> BDC`);
});

test('the colour profile is that of sRGB', async () => {
  const file = await openPdf(convert({ body: paragraph('text') }, { archive: 'PDF/A-2b' }));
  const [intent] = file.array(file.catalog, 'OutputIntents') ?? [];
  const stream = file.stream(intent as PdfDict, 'DestOutputProfile');
  const profile = Buffer.from((stream && file.decode(stream)) ?? []);
  const tags = new Map<string, Buffer>();
  for (let index = 0; index < profile.readUInt32BE(128); index++) {
    const at = 132 + index * 12;
    const start = profile.readUInt32BE(at + 4);
    tags.set(profile.toString('latin1', at, at + 4), profile.subarray(start, start + profile.readUInt32BE(at + 8)));
  }
  const numbersOf = (name: string, from = 8): number[] => {
    const tag = tags.get(name) ?? Buffer.alloc(0);
    return Array.from({ length: (tag.length - from) / 4 }, (_, index) => tag.readInt32BE(from + index * 4) / 65_536);
  };
  expect(profile.readUInt32BE(0)).toBe(profile.length);
  expect(profile.toString('latin1', 12, 24)).toBe('mntrRGB XYZ ');
  // Red, green and blue together are white.
  const [red = [], green = [], blue = []] = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => numbersOf(name));
  for (const [index, white] of numbersOf('wtpt').entries())
    expect((red[index] ?? 0) + (green[index] ?? 0) + (blue[index] ?? 0)).toBeCloseTo(white, 3);
  // The two parts of the curve meet (IEC 61966-2-1).
  const [power = 0, a = 0, b = 0, c = 0, d = 0] = numbersOf('rTRC', 12);
  expect((a * d + b) ** power).toBeCloseTo(c * d, 4);
  expect((a * 0.5 + b) ** power).toBeCloseTo(0.214, 3);
});
