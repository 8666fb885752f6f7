import { readFileSync } from 'node:fs';
import { PDF } from '@libpdf/core';
import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { buildDocx, paragraph } from '../../../test/support/documents/docx-builder.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { openDirectConverter } from '../src/open-direct-converter.ts';

const converter = await openDirectConverter(testFonts);

const propertiesOf = async (docx: Uint8Array) => {
  const pdf = await PDF.load(converter.convert(openPackage(docx)).pdf);
  return {
    title: pdf.getTitle(),
    subject: pdf.getSubject(),
    author: pdf.getAuthor(),
    keywords: pdf.getKeywords(),
    created: pdf.getCreationDate()?.toISOString(),
    language: pdf.context.catalog.getDict().getString('Lang')?.asString(),
  };
};

test('a PDF has the properties and the language of its document', async () => {
  expect(await propertiesOf(readFileSync('examples/letter.docx'))).toEqual({
    title: 'Letter',
    subject: 'Letter template for window envelopes with an optional appointment',
    author: 'Linden Works',
    keywords: ['letter,', 'template'],
    created: '2026-01-05T09:00:00.000Z',
    language: 'en-GB',
  });
});

test('a document without properties gives a PDF without them', async () => {
  expect(Object.values(await propertiesOf(buildDocx({ body: paragraph('text') }))).filter(Boolean)).toEqual([]);
});

test('an invalid language or time is left out, and lines end as in XML', async () => {
  const core =
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Tom &amp; Ann&#13;\n\u00e9</dc:title><dc:subject/><dcterms:created>)/A (</dcterms:created></cp:coreProperties>';
  const parts = {
    'docProps/core.xml': core,
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>',
  };
  const contentTypes = { 'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml' };
  const made = await propertiesOf(buildDocx({ body: paragraph('text'), parts, contentTypes }));
  expect(made).toMatchObject({ title: 'Tom & Ann\n\u00e9', created: undefined, subject: undefined });
});

test('a page has the exact size of its paper', async () => {
  const body =
    '<w:p><w:r><w:t>text</w:t></w:r></w:p><w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr>';
  const page = (await PDF.load(converter.convert(openPackage(buildDocx({ body }))).pdf)).getPage(0);
  // Hundredths of a millimetre, as in LibreOffice's files.
  expect(page?.width).toBeCloseTo((21_001 / 2540) * 72, 9);
  expect(page?.height).toBeCloseTo((29_700 / 2540) * 72, 9);
});
