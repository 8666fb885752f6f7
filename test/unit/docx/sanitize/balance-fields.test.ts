import { expect, test } from 'vitest';
import { balanceFields } from '../../../../src/worker/docx/sanitize/repair/balance-fields.ts';
import { run } from '../../../support/documents/docx-builder.ts';
import { contents, field, fieldMark, instruction } from '../../../support/documents/field-builder.ts';

const [begin, separate, end] = [fieldMark('begin'), fieldMark('separate'), fieldMark('end')];
const page = instruction('PAGE');
const toc = instruction('TOC');
const cell = (content: string): string => `<w:tbl><w:tr><w:tc><w:p>${content}</w:p></w:tc></w:tr></w:tbl>`;
const note = (content: string): string => `<w:footnote><w:p>${content}</w:p></w:footnote>`;
const bodyOf = (content: string): string => `<w:document><w:body><w:p>${content}</w:p></w:body></w:document>`;

/** The repaired body, without runs that became empty, and the warnings. */
function balance(content: string): { readonly xml: string; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const xml = balanceFields(bodyOf(content), (code) => warnings.push(code)) ?? bodyOf(content);
  return { xml: xml.replaceAll('<w:r></w:r>', ''), warnings };
}

test.each([
  ['a field', field('PAGE', run('1'))],
  ['one without a result', begin + page + end],
  ['one within another', field('IF', field('PAGE', run('1')))],
  [
    'one whose instruction has a field',
    begin + instruction('IF') + field('PAGE', run('1')) + separate + run('a') + end,
  ],
  ['contents with page numbers', contents('TOC', [{ label: 'Alpha', page: '9', bookmark: '_Toc1' }])],
  ['one around a table', begin + toc + separate + cell(field('PAGE', run('1'))) + end],
  ['a control of a form', `<w:r><w:fldChar w:fldCharType="begin"><w:ffData/></w:fldChar></w:r>${page}${end}`],
])('%s stays unchanged', (_name, content) => {
  expect(balance(content)).toEqual({ xml: bodyOf(content), warnings: [] });
});

test.each([
  ['no end', begin + page + separate + run('a'), run('a')],
  ['no result and no end', begin + page + run('a'), run('a')],
  ['no beginning', page + separate + run('a') + end, run('a')],
  ['only an end', run('a') + end, run('a')],
  ['marks of an unknown kind', `${begin.replace('begin', 'other')}${run('a')}`, run('a')],
  ['two ends', field('PAGE', run('1')) + end + run('a'), field('PAGE', run('1')) + run('a')],
  ['two separators', begin + page + separate + separate + run('a') + end, field('PAGE', run('a'))],
  ['no end, with another inside', begin + toc + separate + field('PAGE', run('1')), field('PAGE', run('1'))],
  ['its end in a cell', begin + page + separate + run('a') + cell(run('b') + end), run('a') + cell(run('b'))],
  ['its beginning in a cell', cell(begin + page + separate + run('b')) + run('a') + end, cell(run('b')) + run('a')],
  ['an index around it, being one', field('TOC', field('INDEX', run('a'))), field('TOC', run('a'))],
  ['an index around its cell', field('TOC', cell(field('INDEX', run('a')))), field('TOC', cell(run('a')))],
  ['a note around it, being an index', note(field('INDEX', run('a'))), note(run('a'))],
])('a field with %s becomes plain text', (_name, content, expected) => {
  const { xml, warnings } = balance(content);
  expect(xml).toBe(bodyOf(expected));
  expect(warnings).toEqual(['unbalanced_field']);
});
