import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { buildDocx, paragraph } from '../../../test/support/documents/docx-builder.ts';
import { testFonts } from '../../../test/support/fonts.ts';
import { readDocument } from '../src/document/read-document.ts';
import type { Inline, Paragraph } from '../src/document/tree.ts';
import { openTextFonts } from '../src/fonts/text-font.ts';
import type { LineContext } from '../src/layout/line-context.ts';

/** What lines are filled with in a document for Word 2013. */
export const lineContext: LineContext = {
  fontOf: openTextFonts(testFonts),
  addsSpaces: false,
  tabDistance: 720,
  slack: 0.05,
  isOfWord2013: true,
  keepsBrokenLines: false,
  decimalPoint: '.',
  structure: undefined,
  numbers: undefined,
};

const [plain] = readDocument(openPackage(buildDocx({ body: paragraph('x') }))).sections[0]?.blocks ?? [];
if (plain?.kind !== 'paragraph') throw new Error('no paragraph');
const { format, mark, ...others } = plain;

/** A paragraph; a line feed in its text ends a line. */
export function textParagraph(text: string, more: Partial<Paragraph['format']> = {}): Paragraph {
  const inlines = text
    .split('\n')
    .flatMap((line, index): Inline[] => [
      ...(index === 0 ? [] : [{ kind: 'line-break' as const, isOfLabel: false, format: mark }]),
      ...(line === '' ? [] : [{ kind: 'text' as const, text: line, format: mark, link: undefined, isApart: true }]),
    ]);
  return { ...others, mark, format: { ...format, ...more }, inlines };
}
