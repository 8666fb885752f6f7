import { TextEdits } from '@docmill/word/text-edits';
import { scanXmlTags } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../package/open-package.ts';
import { isSvgPart, isXmlPart } from '../package/part-kind.ts';

const marks = new Set(['commentReference', 'commentRangeStart', 'commentRangeEnd']);

/**
 * Removes all references to comments and returns the changed parts. PDFs do not show comments, and headless LibreOffice
 * 7.4 stops at the first one.
 */
export function dropCommentMarks(docx: DocxPackage): ReadonlyMap<string, Buffer> {
  const changes = new Map<string, Buffer>();
  for (const name of docx.partNames) {
    if (!isXmlPart(docx, name) || isSvgPart(docx, name)) continue;
    const xml = docx.readText(name) ?? '';
    if (!/comment(?:Reference|Range)/.test(xml)) continue;
    const edits = new TextEdits();
    scanXmlTags(xml, ({ local, start, end }) => {
      if (marks.has(local)) edits.replace(start, end);
    });
    if (!edits.isEmpty) changes.set(name, Buffer.from(edits.apply(xml)));
  }
  return changes;
}
