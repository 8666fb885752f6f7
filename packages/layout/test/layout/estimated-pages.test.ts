import { expect, test } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, paragraph } from '../../../../test/support/documents/docx-builder.ts';
import * as word from '../../../../test/support/documents/word-xml.ts';
import { readDocument } from '../../src/document/read-document.ts';
import { countNodes, estimatedPageStarts } from '../../src/layout/estimated-pages.ts';

const row = word.row([word.cell(3000, '<w:p/>')]);
const table = (rows: number): string => word.table([3000], [row.repeat(rows)], word.width(3000));
const broken = word.paragraph('', '<w:pageBreakBefore/>');

function startsOf(body: string, isFirstSection = true): number[] {
  const [section] = readDocument(openPackage(buildDocx({ body }))).sections;
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
  [
    'the first page of a long document has 20 paragraphs, each further one 21',
    paragraph('x').repeat(130),
    [20, 41, 62, 83, 104, 125],
  ],
  ['a row counts as a paragraph', table(20) + paragraph('x').repeat(10), [6]],
  ['counting starts again at a page break', paragraph('x').repeat(10) + broken + paragraph('x').repeat(40), [10, 36]],
])('%s', (_name, body, starts) => {
  expect(startsOf(body)).toEqual(starts);
});

test('both numbers apply near 100 nodes', () => {
  expect(startsOf(paragraph('x').repeat(95)).sort((a, b) => a - b)).toEqual([20, 25, 41, 51, 62, 77, 83]);
});

test('a later section begins a page', () => {
  expect(startsOf(paragraph('x').repeat(30), false)).toEqual([0, 26]);
});
