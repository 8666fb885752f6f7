import { describe, expect, it } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { addedProblems } from '../../../support/documents/ooxml-check.ts';
import { fillText } from '../render/fill.ts';

const pageBreak = '<w:r><w:br w:type="page"/></w:r>';
const ownParagraph = `<w:p>${pageBreak}</w:p>`;
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
      `${paragraph('a')}<w:p>${run('{#items}')}${pageBreak}</w:p>${item}${close}`,
      'a/[page]/1/[page]/2',
      'a',
    ],
    [
      'with the closing tag',
      `${open}${item}<w:p>${run('{/items}')}${pageBreak}</w:p>${paragraph('b')}`,
      '1/2[page]/b',
      'b',
    ],
    ['with the closing tag at the end', `${open}${item}<w:p>${pageBreak}${run('{/items}')}</w:p>`, '1/2', ''],
    ['between text and an empty list', paragraph('a') + ownParagraph + open + item + close, 'a/[page]/1/2', 'a'],
    [
      'for all but the last',
      `${open}${item}<w:p>${run('{^$last}')}${pageBreak}${run('{/}')}</w:p>${close}`,
      '1/[page]/2',
      '',
    ],
    ['before what follows the list', open + item + ownParagraph + close + paragraph('b'), '1/[page]/2/[page]/b', 'b'],
    ['before empty paragraphs', `${open}${item}${ownParagraph}${close}<w:p/><w:p><w:pPr/></w:p>`, '1/[page]/2//', '/'],
    ['after a table', `${open}${table([['{n}']])}${ownParagraph}${close}`, '|1/[page]/|2/', ''],
  ])('%s', async (_, body, expected, empty) => {
    expect(fillText({ body }, two).replaceAll('\n', '/')).toBe(expected);
    expect(fillText({ body }, none).replaceAll('\n', '/')).toBe(empty);
    const template = buildDocx({ body });
    for (const data of [two, none]) {
      const { file } = renderTemplate(prepareTemplate(template, 'docx'), Buffer.from(JSON.stringify(data)));
      expect(await addedProblems(template, file)).toEqual([]);
    }
  });

  it('stay where the author put them last in a document without sections there', () => {
    expect(fillText({ body: paragraph('{n}') + ownParagraph }, { n: 1 })).toBe('1\n[page]');
    const before = open + item + close + paragraph('end') + ownParagraph;
    expect(fillText({ body: before }, two)).toBe('1\n2\nend\n[page]');
  });
});
