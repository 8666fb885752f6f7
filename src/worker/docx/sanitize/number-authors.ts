import { TextEdits } from '@docmill/word/text-edits';
import { readAttributes, scanXmlTags } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../package/open-package.ts';

/**
 * The number of author colours in LibreOffice. Before any document, a converter meets the names `1` to `9` in this
 * order.
 */
const authorColours = 9;

/**
 * Numbers the authors of tracked changes in order of appearance, and returns the changed parts. LibreOffice picks
 * colours by the order in which it first met the authors, so authors of earlier documents would change the pages of
 * this one.
 */
export function numberAuthors(docx: DocxPackage): ReadonlyMap<string, Buffer> {
  const changes = new Map<string, Buffer>();
  const numbers = new Map<string, string>();
  const names = docx.partNames.filter((name) => docx.contentType(name)?.includes('wordprocessingml') === true);
  for (const name of [docx.mainPart, ...names.filter((other) => other !== docx.mainPart)]) {
    const xml = docx.readText(name) ?? '';
    if (!xml.includes('author=')) continue;
    const edits = new TextEdits();
    scanXmlTags(xml, (tag) => {
      if (tag.kind === 'close') return;
      for (const { local, value, valueStart, end } of readAttributes(xml, tag)) {
        if (local !== 'author') continue;
        const number = numbers.get(value) ?? String((numbers.size % authorColours) + 1);
        numbers.set(value, number);
        edits.replace(valueStart, end - 1, number);
      }
    });
    if (!edits.isEmpty) changes.set(name, Buffer.from(edits.apply(xml)));
  }
  return changes;
}
