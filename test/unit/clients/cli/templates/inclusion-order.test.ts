import { expect, test } from 'vitest';
import { inInclusionOrder } from '../../../../../clients/cli/src/templates/inclusion-order.ts';
import type { Pair } from '../../../../../clients/cli/src/templates/pair-templates.ts';
import { buildDocx, paragraph } from '../../../../support/documents/docx-builder.ts';
import { useFolder } from '../../../../support/folder.ts';

const folder = useFolder();

/** The upload order of files with these paragraphs. The service has the templates in `known` already. */
async function orderOf(files: Readonly<Record<string, string>>, delimiters?: string, known: readonly string[] = []) {
  const pairs = Object.entries(files).map(([file, text]): Pair => {
    folder.write(file, text === 'no zip' ? text : buildDocx({ body: paragraph(text) }));
    const id = `tpl_${'0'.repeat(25)}${known.indexOf(file)}`;
    const named = { id, name: `${file.slice(0, 1)} of the service.docx`, version: 1, checksum: 'f'.repeat(64) };
    const remote = known.includes(file) ? (named as Pair['remote']) : undefined;
    return { file, isLocal: true, locked: undefined, remote, problem: undefined };
  });
  const pathOf = ({ file }: Pair) => folder.at(file);
  const unused = { remember: () => undefined, save: async () => {} };
  const ordered = await inInclusionOrder({ pairs, pathOf, delimiters, ...unused });
  return ordered.map(({ pair }) => pair.file).join(' ');
}

test('a template follows those that it includes by file, name or id, and others keep their order', async () => {
  const files = {
    'a.docx': '{include "c" with customer}',
    'b.docx': 'No tag of its own: {include "d"}',
    'c.docx': '{ letterhead “D.docx” }',
    'd.docx': '{x}',
  };
  expect(await orderOf(files)).toBe('d.docx c.docx a.docx b.docx');
  const named = { 'a.docx': '{include "c of the service"}', 'b.docx': `{include "tpl_${'0'.repeat(26)}"}` };
  expect(await orderOf({ ...named, 'c.docx': '{x}' }, undefined, ['c.docx'])).toBe('c.docx a.docx b.docx');
});

test('only templates that use braces as delimiters include others', async () => {
  const files = { 'a.docx': '{include "b"}', 'b.docx': '{x}' };
  expect(await orderOf(files, '<< >>')).toBe('a.docx b.docx');
  expect(await orderOf(files, '{ }')).toBe('b.docx a.docx');
});

test('templates that include each other or themselves keep their order, and so do unreadable files', async () => {
  expect(await orderOf({ 'a.docx': '{include "a"}', 'b.docx': '{x}' })).toBe('a.docx b.docx');
  const circle = { 'a.docx': '{include "c"}', 'b.docx': 'no zip', 'c.docx': '{include "a"}' };
  expect(await orderOf(circle)).toBe('c.docx a.docx b.docx');
});

test('files keep the order of the folder when the service has every template', async () => {
  const files = { 'a.docx': '{include "b"}', 'b.docx': '{x}' };
  expect(await orderOf(files, undefined, ['a.docx', 'b.docx'])).toBe('a.docx b.docx');
});
