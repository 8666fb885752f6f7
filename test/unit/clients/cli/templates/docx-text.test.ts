import { expect, test } from 'vitest';
import { readDocxText, UnreadableDocx } from '../../../../../clients/cli/src/templates/docx-text.ts';
import { buildDocx, buildZip, paragraph, table } from '../../../../support/documents/docx-builder.ts';

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

test('each paragraph is one line with its runs joined, in the order of the document', () => {
  const body = [
    `<w:p>${run('Dear {na')}${run('me},')}</w:p>`,
    table([
      ['Item', 'Price'],
      ['{#items}{name}', '{price}{/items}'],
    ]),
    '<w:p/>',
    '<w:p><w:r><w:t>A</w:t><w:tab/><w:t>B</w:t><w:br/><w:t>&amp; C</w:t></w:r></w:p>',
    `<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins>${run('new')}</w:ins></w:p>`,
  ].join('');
  const lines = readDocxText(buildDocx({ body, headers: [paragraph('{company}')] }));
  expect(lines).toEqual([
    ...['Dear {name},', 'Item', 'Price', '{#items}{name}', '{price}{/items}', 'A\tB & C', 'new'],
    ...[expect.stringMatching(/^\[header\d*\.xml\]$/), '{company}'],
  ]);
});

test('the text of a text box is one line, and its fallback does not repeat it', () => {
  const box = `<w:p>${run('before')}<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">
    <mc:Choice Requires="wps"><w:txbxContent><w:p>${run('box')}</w:p></w:txbxContent></mc:Choice>
    <mc:Fallback><w:txbxContent><w:p>${run('box')}</w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>${run('after')}</w:p>`;
  expect(readDocxText(buildDocx({ body: box }))).toEqual(['before', 'box', 'after']);
});

test('a deeply nested document is read', () => {
  const depth = 20_000;
  const body = `${'<w:sdt><w:sdtContent>'.repeat(depth)}${paragraph('deep')}${'</w:sdtContent></w:sdt>'.repeat(depth)}`;
  expect(readDocxText(buildDocx({ body }))).toEqual(['deep']);
});

const entities = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><w:document>&b;</w:document>';
test.each([
  ['no zip', Buffer.from('no zip')],
  ['nothing', new Uint8Array()],
  ['a zip of something else', buildZip(new Map([['readme.xml', '<x/>']]))],
  ['a part that is no XML', buildDocx({ parts: { 'word/document.xml': '<w:p>' } })],
  ['entities', buildDocx({ parts: { 'word/document.xml': entities } })],
])('%s has no text', (_what, bytes) => {
  expect(() => readDocxText(bytes)).toThrow(UnreadableDocx);
});
