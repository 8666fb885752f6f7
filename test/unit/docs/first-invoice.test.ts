import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../src/worker/docx/render-template.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph, table } from '../../support/documents/docx-builder.ts';

const guide = readFileSync('docs/guides/first-invoice.md', 'utf8');
const blocks = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, 'gms'))].map(([, text = '']) => text);

test('the invoice of the guide for authors comes out as its readers expect', () => {
  const [letter = '', total = ''] = blocks('text');
  const row = guide.split('\n').find((line) => line.startsWith('| `{#items}')) ?? '';
  const cells = [...row.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\\|', '|'));
  expect(cells).toHaveLength(4);
  const lines = (text: string): string => text.split('\n').map(paragraph).join('');
  const template = buildDocx({ body: lines(letter) + table([cells]) + lines(total) });
  const { file, warnings } = renderTemplate(prepareTemplate(template, 'docx'), Buffer.from(blocks('json')[0] ?? ''));
  expect(warnings).toEqual([]);
  const text = docxText(file);
  for (const printed of ['Ada Lovelace', 'Invoice 2026-114', 'Date: March 31, 2026', '€720.00', '€809.50', '14 days'])
    expect(text).toContain(printed);
  expect(text).not.toMatch(/[{}]|Thank you/);
});
