import { beforeAll, describe, expect, inject, test } from 'vitest';
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

test('an archive file declares its PDF/A level', async () => {
  expect((await pdf({ archive: 'PDF/A-2b' })).toString('latin1')).toMatch(/pdfaid:part>2</);
});

test('the file requires its password', async () => {
  await expect(pdfText(await pdf({ password: 'open sesame' }))).rejects.toThrow(/Incorrect password/);
  // 256 bits, revision 6 of the standard's encryption.
  expect((await pdf({ password: 'пароль 密码' })).toString('latin1')).toMatch(/\/R 6\b/);
});

describe('rejected with the field at fault, and not charged', () => {
  test.each([
    ['an unknown option', { colour: 'red' }, 'output.pdf.colour'],
    ['an unknown archive', { archive: 'PDF/A-9' }, 'output.pdf.archive'],
    ['an encrypted archive', { archive: 'PDF/A-2b', password: 'x' }, 'output.pdf.password'],
    ['an empty password', { password: '' }, 'output.pdf.password'],
    ['a password with a null', { password: 'a\0' }, 'output.pdf.password'],
    ['a password of two lines', { password: 'a\nb' }, 'output.pdf.password'],
    ['a watermark with half a surrogate', { watermark: 'a\ud800' }, 'output.pdf.watermark'],
    ['a range of words', { pages: 'all' }, 'output.pdf.pages'],
    ['a quality of 101', { imageQuality: 101 }, 'output.pdf.imageQuality'],
    ['an unknown permission', { permissions: { printing: 'maybe' } }, 'output.pdf.permissions.printing'],
  ])('%s', async (_name, options, path) => {
    const before = await client.quotas();
    const answer = await client.generate(id, { data: {}, output: { format: 'pdf', pdf: options } });
    expect(expectProblem(answer, 400).details).toEqual([expect.objectContaining({ type: 'Field', path })]);
    expect(await client.quotas()).toStrictEqual(before);
  });

  test('PDF options for a .docx are rejected', async () => {
    const answer = await client.generate(id, { data: {}, output: { pdf: {} } });
    expect(expectProblem(answer, 400).details).toMatchObject([{ type: 'Field', path: 'output.pdf' }]);
  });
});
