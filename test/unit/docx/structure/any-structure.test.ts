import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors.ts';
import { buildDocx, footnoteReference, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { structureProblems } from '../../../support/documents/ooxml-check.ts';
import { volume } from '../../../support/extended.ts';
import { render } from '../render/fill.ts';

const inline = ['{a.b}', 'text', '{#a}x{/a}', '{#b}{.}{/}', '{^b}none{/b}', '{@text bold:a | fill:"red"}x', ''];
const words = fc.constantFrom(...inline);
const formats = fc.constantFrom('', '', '', '{@row hide:a}', '{@row fill:"red"}', '{@cell fill:"gold" | bold:b}');
const ends = fc.constantFrom('', '{#a} {/a}', '{#b} {/b}', '{^a} {/a}', '{#a}{#b} {/b}{/a}').map((tags) => {
  const [open = '', close = ''] = tags.split(' ');
  return [open, close] as const;
});
const merge = fc.constantFrom('', '', '<w:vMerge w:val="restart"/>', '<w:vMerge/>');
const column = fc.constantFrom('', '', '', '', '{|a}', '{|b}', '{|^b}');

/** Keeps vertical merges only where one has begun, as Word does, and removes all from tables with a single column. */
function mended(rows: readonly (readonly string[])[]): string[][] {
  const kept: string[][] = [];
  for (const row of rows) {
    const above = kept.at(-1);
    kept.push(
      row.map((own, j) => (row.length === 1 || (own === '<w:vMerge/>' && (above?.[j] ?? '') === '') ? '' : own)),
    );
  }
  return kept;
}

const cellsOf = (content: fc.Arbitrary<string>, width: number) =>
  fc.array(fc.tuple(content, merge, column, formats), { minLength: width, maxLength: width });

const tableOf = (cellContent: fc.Arbitrary<string>) =>
  fc.integer({ min: 1, max: 3 }).chain((width) =>
    fc.array(fc.tuple(ends, cellsOf(cellContent, width)), { minLength: 1, maxLength: 4 }).map((rows) => {
      const merges = mended(rows.map(([, cells]) => cells.map(([, own]) => own)));
      const xml = rows.map(([[open, close], cells], i) => {
        const texts = cells.map(([content, , tag, format], j) => {
          const first = j === 0 ? open : '';
          const last = j === width - 1 ? close : '';
          const repeats = i === 0 ? tag : '';
          const properties = `<w:tcPr><w:tcW w:w="0" w:type="auto"/>${merges[i]?.[j] ?? ''}</w:tcPr>`;
          return `<w:tc>${properties}${paragraph(first + format + repeats)}${content}${paragraph(last)}</w:tc>`;
        });
        return `<w:tr>${texts.join('')}</w:tr>`;
      });
      const grid = '<w:gridCol w:w="2000"/>'.repeat(width);
      return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${xml.join('')}</w:tbl>`;
    }),
  );

const section = '<w:pPr><w:sectPr><w:type w:val="nextPage"/></w:sectPr></w:pPr>';
const pageBreak = '<w:r><w:br w:type="page"/></w:r>';

/** Tables, controls, text boxes, ranges and notes in any nesting, with sections anywhere. */
const blocks: fc.Arbitrary<string> = fc.letrec<{ block: string; blocks: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3 },
    words.map(paragraph),
    fc.tuple(ends, tie('blocks')).map(([[open, close], inner]) => paragraph(open) + inner + paragraph(close)),
    tableOf(fc.oneof({ maxDepth: 2 }, words.map(paragraph), tie('blocks'))),
    tie('blocks').map(
      (inner) => `<w:sdt><w:sdtPr><w:id w:val="@"/></w:sdtPr><w:sdtContent>${inner}<w:p/></w:sdtContent></w:sdt>`,
    ),
    fc.constant(`<w:p>${footnoteReference(1)}</w:p>`),
    words.map((text) => `<w:p>${section}${run(text)}</w:p>`),
    words.map((text) => `<w:p>${pageBreak}${run(text)}${pageBreak}</w:p>`),
    words.map(
      (text) =>
        `<w:p><w:sdt><w:sdtPr><w:id w:val="@"/></w:sdtPr><w:sdtContent>${run(text)}</w:sdtContent></w:sdt></w:p>`,
    ),
    tie('blocks').map(
      (inner) =>
        `<w:p><w:r><w:pict><v:textbox><w:txbxContent>${inner}<w:p/></w:txbxContent></v:textbox></w:pict></w:r></w:p>`,
    ),
    words.map(
      (text) =>
        `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="@" name="d"/></wp:inline></w:drawing></w:r>${run(text)}</w:p>`,
    ),
    fc
      .tuple(tie('blocks'), ends)
      .map(
        ([inner, [open, close]]) =>
          `<w:p w14:paraId="0000000A"><w:bookmarkStart w:id="@" w:name="b@"/>${run(open)}</w:p>${inner}<w:p>${run(close)}<w:bookmarkEnd w:id="@@"/></w:p>`,
      ),
  ),
  blocks: fc.array(tie('block'), { maxLength: 3 }).map((all) => all.join('')),
})).blocks;

/** Replaces every `@` with a new id, and `@@` with the id of the open range. */
function numbered(xml: string): string {
  let next = 0;
  const open: number[] = [];
  return xml.replace(/w:id="@@"|w:id="@" w:name="b@"|"@"/g, (mark) => {
    if (mark === 'w:id="@@"') return `w:id="${open.pop()}"`;
    next++;
    if (mark === '"@"') return `"${next}"`;
    open.push(next);
    return `w:id="${next}" w:name="b${next}"`;
  });
}

const data = fc.constantFrom(
  {},
  { a: [], b: [] },
  { a: [{ b: [1, 2] }, { b: [] }, { b: 'x' }], b: ['y', 'z'] },
  { a: { b: 'B' }, b: true },
);

/** Problems of the document from `fill` that no template has. Undefined for a client error, which must have details. */
function newProblems(templates: readonly Buffer[], fill: () => Buffer): readonly string[] | undefined {
  const known = new Set(templates.flatMap(structureProblems));
  try {
    return structureProblems(fill()).filter((problem) => !known.has(problem));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.details?.length).toBeGreaterThan(0);
    return undefined;
  }
}

const templateOf = (body: string): Buffer =>
  buildDocx({ body: `${numbered(body)}${paragraph('{c}')}`, footnotes: [paragraph('n')] });

/** Expects no new problem in any generated document, and that at least this many of them are filled. */
function expectValid<T>(
  input: fc.Arbitrary<T>,
  runs: number,
  least: number,
  fill: (input: T) => ReturnType<typeof newProblems>,
) {
  let filled = 0;
  fc.assert(
    fc.property(input, (generated) => {
      const problems = fill(generated);
      if (problems === undefined) return;
      expect(problems).toEqual([]);
      filled++;
    }),
    { numRuns: runs },
  );
  expect(filled).toBeGreaterThan(least);
}

const runs = volume(40, 750);

describe('any structure and any data', () => {
  it('yield a valid document or a client error', () => {
    expectValid(fc.tuple(blocks, data), runs, runs / 3, ([body, values]) => {
      const template = templateOf(body);
      return newProblems([template], () => render(template, values).file);
    });
  }, 400_000);

  it('yield the same when the structure is included, once or several times, in a section or a cell', () => {
    const tag = fc.constantFrom('{include "part"}', '{include "part" with a}');
    const places = fc.constantFrom(
      (xml: string) => xml,
      (xml: string) => xml + xml,
      (xml: string) => paragraph('{#b}') + xml + paragraph('{/b}'),
      (xml: string) => table([[`${xml}<w:p/>`, 'x']]),
      (xml: string) => table([['{#a}', `${xml}${paragraph('{/a}')}`]]),
    );
    expectValid(
      fc.tuple(blocks, blocks, data, tag, places),
      runs,
      runs / 6,
      ([inner, outer, values, include, placed]) => {
        const part = templateOf(inner);
        const template = templateOf(outer + placed(paragraph(include)));
        return newProblems(
          [template, part],
          () => render(template, values, { includes: new Map([['part', part]]) }).file,
        );
      },
    );
  }, 400_000);

  it('yield a client error or a valid document when any tag is left out', () => {
    const tags = /\{[^{}]*\}/g;
    expectValid(fc.tuple(blocks, data, fc.nat(20)), volume(60, 1_500), 0, ([body, values, which]) => {
      let count = 0;
      const template = templateOf(body.replace(tags, (tag) => (count++ === which ? '' : tag)));
      return newProblems([template], () => render(template, values).file);
    });
  }, 400_000);

  it('yield a client error for a section from a table in a content control into a table outside it', () => {
    const body = `<w:sdt><w:sdtPr/><w:sdtContent>${table([['{#a}', '']])}</w:sdtContent></w:sdt>${table([['', '{/a}']])}`;
    expect(() => render({ body }, {})).toThrow(AppError);
  });
});
