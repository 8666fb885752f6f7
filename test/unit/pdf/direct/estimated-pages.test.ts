import { expect, test } from 'vitest';
import { readDocument } from '../../../../src/worker/pdf/direct/document/read-document.ts';
import { countNodes, estimatedPageStarts } from '../../../../src/worker/pdf/direct/layout/estimated-pages.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';

const row = '<w:tr><w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr><w:p/></w:tc></w:tr>';
const table = (rows: number): string =>
  `<w:tbl><w:tblPr><w:tblW w:w="3000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid>${row.repeat(rows)}</w:tbl>`;
const broken = '<w:p><w:pPr><w:pageBreakBefore/></w:pPr></w:p>';

function startsOf(body: string, isFirstSection = true): number[] {
  const [section] = readDocument(buildDocx({ body })).sections;
  const blocks = section?.blocks ?? [];
  return [...estimatedPageStarts(blocks, isFirstSection, countNodes(blocks))];
}

// Found by documents in which a paragraph that stays with the next one is each of the first eighty.
test.each([
  [
    'the first page of a short document has 25 paragraphs, each further one 26',
    paragraph('x').repeat(80),
    [25, 51, 77],
  ],
  ['of a long one 20 and 21', paragraph('x').repeat(130), [20, 41, 62, 83, 104, 125]],
  ['a row counts as a paragraph', table(20) + paragraph('x').repeat(10), [6]],
  [
    'a page that the document begins is counted anew',
    paragraph('x').repeat(10) + broken + paragraph('x').repeat(40),
    [10, 36],
  ],
])('%s', (_name, body, starts) => {
  expect(startsOf(body)).toEqual(starts);
});

test('near 100 nodes both numbers count', () => {
  expect(startsOf(paragraph('x').repeat(95)).sort((a, b) => a - b)).toEqual([20, 25, 41, 51, 62, 77, 83]);
});

test('a later section begins a page', () => {
  expect(startsOf(paragraph('x').repeat(30), false)).toEqual([0, 26]);
});
