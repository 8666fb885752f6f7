import { expect, test } from 'vitest';
import { toUnfilledTemplate } from '../../../../../src/console/templates/problems/unfilled-template.ts';
import { prepareTemplate, renderTemplate } from '../../../../../src/worker/docx/render-template.ts';
import { docxText } from '../../../../support/documents/document-text.ts';
import { buildDocx, type DocxInput, paragraph, run } from '../../../../support/documents/docx-builder.ts';

async function printed(input: DocxInput, part?: string): Promise<string> {
  const unfilled = toUnfilledTemplate(new Uint8Array(buildDocx(input)));
  if (unfilled === undefined) throw new Error('nothing was prepared');
  const file = Buffer.from(await unfilled.file.arrayBuffer());
  return docxText(renderTemplate(prepareTemplate(file, 'docx'), Buffer.from(JSON.stringify(unfilled.data))).file, part);
}

test.each(['Dear {customer.name', '{#items}never closed', '{/items} {a | nonsense:} } {{', 'a {"quoted" & escaped} b'])(
  'broken tags are printed as written: %s',
  async (text) => {
    expect(await printed({ body: paragraph(text) })).toBe(text);
  },
);

test('a tag that Word has split into runs is printed whole, also in headers', async () => {
  const split = `<w:p>${run('{cust')}${run('omer')}${run('}')}</w:p>`;
  expect(await printed({ body: split, headers: [paragraph('{page')] })).toBe('{customer}');
  expect(await printed({ body: split, headers: [paragraph('{page')] }, 'word/header1.xml')).toBe('{page');
});

test('braces outside the text, as in alternative texts, field codes and GUIDs, change nothing', async () => {
  const field = `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "https://a.example/{id"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('seen')}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
  const control = `<w:sdt><w:sdtPr><w:tag w:val="{#broken"/></w:sdtPr><w:sdtContent>${paragraph('{x')}</w:sdtContent></w:sdt>`;
  expect(await printed({ body: field + control })).toContain('{x');
});

test('tags between other delimiters are printed as they are written', async () => {
  expect(await printed({ body: paragraph('Dear <<name>> [[city') })).toBe('Dear <<name>> [[city');
});

test('a file without text, or one that is not a package, yields nothing', () => {
  expect(toUnfilledTemplate(new Uint8Array(buildDocx({ body: '<w:p/>' })))).toBeUndefined();
  expect(toUnfilledTemplate(new Uint8Array([1, 2, 3]))).toBeUndefined();
});
