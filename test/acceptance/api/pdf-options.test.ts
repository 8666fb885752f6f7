import { beforeAll, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { pdfText } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';

const { newClient } = await useService(inject('stack'));
const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  const body = ['one {x}', 'two {x}', 'three {x}'].map((text) => paragraph(text)).join(pageBreak);
  id = (await client.template('pages.docx', buildDocx({ body }))).id;
});

async function pdf(options: unknown): Promise<Buffer> {
  const answer = await client.generate(id, { data: { x: 'page' }, output: { format: 'pdf', pdf: options } });
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 300)).toBe(200);
  return answer.bytes;
}
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

test('the PDF contains only the requested pages', async () => {
  expect(wordsOf(await pdfText(await pdf({ pages: '1,3' })))).toEqual(['one', 'page', 'three', 'page']);
});

test('a field with the file name shows the name of the generated document', async () => {
  const body = '<w:p><w:fldSimple w:instr=" FILENAME "><w:r><w:t>template.docx</w:t></w:r></w:fldSimple></w:p>';
  const named = await client.template('named.docx', buildDocx({ body: `${body}${paragraph('{x}')}` }));
  const output = { format: 'pdf', filename: 'Angebot 7.pdf' };
  const answer = await client.generate(named.id, { data: { x: 'page' }, output });
  expect(wordsOf(await pdfText(answer.bytes))).toEqual(['Angebot', '7.docx', 'page']);
});

test('the file requires its password', async () => {
  await expect(pdfText(await pdf({ password: 'open sesame' }))).rejects.toThrow(/Incorrect password/);
  // 256 bits, revision 6 of the standard's encryption.
  expect((await pdf({ password: 'пароль 密码' })).toString('latin1')).toMatch(/\/R 6\b/);
});

test('an invalid option is refused with its field, and nothing is charged', async () => {
  const before = await client.quotas();
  const options = { archive: 'PDF/A-2b', password: 'x' };
  const answer = await client.generate(id, { data: {}, output: { format: 'pdf', pdf: options } });
  expect(expectProblem(answer, 400).details).toMatchObject([{ type: 'Field', path: 'output.pdf.password' }]);
  expect(await client.quotas()).toStrictEqual(before);
});
