import { expect, test } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx } from '../../../../test/support/documents/docx-builder.ts';
import * as word from '../../../../test/support/documents/word-xml.ts';
import { readDocument } from '../../src/document/read-document.ts';
import { textFill } from '../../src/document/text-fill.ts';

const highlighted = (name: string): string => `<w:highlight w:val="${name}"/>`;

test.each([
  ['dark shading is white', word.shaded('000000'), ['000000', 'FFFFFF']],
  ['a dark highlight is black', highlighted('darkBlue'), ['000080', undefined]],
  ['a highlight on dark shading is white', word.shaded('000000') + highlighted('yellow'), ['FFFF00', 'FFFFFF']],
  ['shading with a highlight of no colour', word.shaded('FFEEDD') + highlighted('none'), ['FFEEDD', undefined]],
])('text of the automatic colour on %s', (_name, format, expected) => {
  const source = openPackage(buildDocx({ body: word.paragraph(word.run('text', format)) }));
  const [paragraph] = readDocument(source).sections[0]?.blocks ?? [];
  const found = paragraph?.kind === 'paragraph' ? paragraph.inlines[0]?.format : undefined;
  expect([found && textFill(found), found?.color]).toEqual(expected);
});
