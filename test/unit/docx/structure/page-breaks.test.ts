import { describe, expect, it } from 'vitest';
import { paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { fillText, problems } from '../render/fill.ts';

const pageBreak = '<w:r><w:br w:type="page"/></w:r>';
const ownParagraph = `<w:p>${pageBreak}</w:p>`;
const unlessLast = `<w:p>${run('{^$last}')}${pageBreak}${run('{/}')}</w:p>`;
const [a, b] = [paragraph('a'), paragraph('b')];
const open = paragraph('{#items}');
const close = paragraph('{/items}');
const item = paragraph('{n}');
const two = { items: [{ n: 1 }, { n: 2 }] };
const none = { items: [] };

describe('page breaks in sections', () => {
  it.each([
    ['in a paragraph of their own', open + item + ownParagraph + close, '1/[page]/2', ''],
    ['at the end of the last paragraph', `${open}<w:p>${run('{n}')}${pageBreak}</w:p>${close}`, '1[page]/2', ''],
    ['within one paragraph', `<w:p>${run('{#items}{n}')}${pageBreak}${run('{/items}')}</w:p>`, '1[page]2', ''],
    [
      'with the opening tag',
      `${a}<w:p>${run('{#items}')}${pageBreak}</w:p>${item}${close}`,
      'a/[page]/1/[page]/2',
      'a',
    ],
    ['with the closing tag', `${open}${item}<w:p>${run('{/items}')}${pageBreak}</w:p>${b}`, '1/2[page]/b', 'b'],
    ['with the closing tag at the end', `${open}${item}<w:p>${pageBreak}${run('{/items}')}</w:p>`, '1/2', ''],
    ['between text and an empty list', a + ownParagraph + open + item + close, 'a/[page]/1/2', 'a'],
    ['for all but the last', open + item + unlessLast + close, '1/[page]/2', ''],
    ['before what follows the list', open + item + ownParagraph + close + b, '1/[page]/2/[page]/b', 'b'],
    ['before empty paragraphs', `${open}${item}${ownParagraph}${close}<w:p/><w:p><w:pPr/></w:p>`, '1/[page]/2//', '/'],
    ['after a table', `${open}${table([['{n}']])}${ownParagraph}${close}`, '|1/[page]/|2/', ''],
  ])('%s', async (_, body, expected, empty) => {
    expect(fillText({ body }, two).replaceAll('\n', '/')).toBe(expected);
    expect(fillText({ body }, none).replaceAll('\n', '/')).toBe(empty);
    for (const data of [two, none]) expect(await problems({ body }, data)).toEqual([]);
  });

  it('stay at the end of a document if no section is there', () => {
    expect(fillText({ body: paragraph('{n}') + ownParagraph }, { n: 1 })).toBe('1\n[page]');
    const before = open + item + close + paragraph('end') + ownParagraph;
    expect(fillText({ body: before }, two)).toBe('1\n2\nend\n[page]');
  });
});
