import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { validatePackage } from '../../../../src/worker/docx/package/validate-package.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, run, table } from '../../../support/documents/docx-builder.ts';
import { volume } from '../../../support/extended.ts';

const token = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('{a.b}', 'text', ' ', '{#a}x{/a}', '{#b}{c}{/}', '{^b}none{/b}') },
  { weight: 4, arbitrary: fc.constantFrom('{#a}', '{/a}', '{#b}', '{/b}', '{/}') },
  { weight: 1, arbitrary: fc.constantFrom('{', '}', '{.}', '{^a}', '{a}') },
);
const words = fc.array(token, { maxLength: 4 }).map((tokens) => tokens.join(''));
const section = '<w:pPr><w:sectPr><w:type w:val="nextPage"/><w:headerReference r:id="x"/></w:sectPr></w:pPr>';
const pageBreak = '<w:r><w:br w:type="page"/></w:r>';

/** Any nesting of the elements that sections may have to repeat or drop, with tags anywhere. */
const content: fc.Arbitrary<string> = fc.letrec<{ block: string; blocks: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(words, words).map(([a, b]) => `<w:p>${run(a)}${run(b)}</w:p>`),
    words.map((text) => `<w:p>${section}${run(text)}</w:p>`),
    words.map((text) => `<w:p>${pageBreak}${run(text)}${pageBreak}</w:p>`),
    fc.constant('<w:p/>'),
    fc.tuple(words, words).map(([a, b]) => table([[a, b]])),
    fc.tuple(tie('blocks'), words).map(([inner, text]) =>
      table([
        [text, `${inner}<w:p/>`],
        ['x', text],
      ]),
    ),
    tie('blocks').map((inner) => `<w:sdt><w:sdtPr/><w:sdtContent>${inner}</w:sdtContent></w:sdt>`),
    words.map((text) => `<w:p><w:sdt><w:sdtContent>${run(text)}</w:sdtContent></w:sdt></w:p>`),
    tie('blocks').map(
      (inner) =>
        `<w:p><w:r><w:pict><v:textbox><w:txbxContent>${inner}<w:p/></w:txbxContent></v:textbox></w:pict></w:r></w:p>`,
    ),
  ),
  blocks: fc.array(tie('block'), { maxLength: 4 }).map((blocks) => blocks.join('')),
})).blocks;

const data = fc.constantFrom(
  {},
  { a: [] },
  { a: [{ b: [1] }, { a: [2], b: 'x\ny' }], b: true },
  { a: { b: 'B' }, b: [1, 2] },
);

const lastChild: Readonly<Record<string, string>> = {
  'w:tc': 'w:p',
  'w:tr': 'w:tc',
  'w:tbl': 'w:tr',
  'w:txbxContent': 'w:p',
};

/** Cells and text boxes that do not end with a paragraph, rows without cells, tables without rows. */
function brokenElements(xml: string): string[] {
  const broken: string[] = [];
  const open = [{ name: '', last: '' }];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => open.push({ name, last: '' }));
  parser.on('closetag', () => {
    const { name, last } = open.pop() ?? { name: '', last: '' };
    const parent = open.at(-1);
    if (parent !== undefined) parent.last = name;
    if (lastChild[name] !== undefined && lastChild[name] !== last) broken.push(`${name} ends with ${last}`);
  });
  parser.write(xml).close();
  return broken;
}

/** A section from a table inside a content control into a table outside it. */
const acrossTables = `<w:sdt><w:sdtPr/><w:sdtContent>${table([['{#a}', '']])}</w:sdtContent></w:sdt>${table([['', '{/a}']])}`;

describe('any template and any data', () => {
  it('yield a well-formed document or a client error', () => {
    const runs = volume(150, 3_000);
    let filled = 0;
    fc.assert(
      fc.property(content, data, (body, values) => {
        const bytes = buildDocx({ body: `${body}<w:p>${run('{c}')}</w:p>`, headers: [body] });
        let file: Buffer;
        try {
          file = renderTemplate(prepareTemplate(bytes, 'docx'), Buffer.from(JSON.stringify(values))).file;
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).details?.length).toBeGreaterThan(0);
          return;
        }
        const docx = openPackage(file);
        validatePackage(docx);
        for (const part of ['word/document.xml', 'word/header1.xml']) {
          expect(brokenElements(docx.readText(part) ?? '')).toEqual([]);
        }
        filled++;
      }),
      { numRuns: runs, examples: [[acrossTables, {}]] },
    );
    expect(filled).toBeGreaterThan(runs / 5);
  }, 60_000);
});
