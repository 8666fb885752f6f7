import type { DocxPackage } from '../package/open-package.ts';
import { TextEdits } from '../package/text-edits.ts';
import { readAttributes, scanXmlTags } from '../package/xml-tokens.ts';

/** LibreOffice has as many colours for authors. A converter has met the names `1` to `9`, in this order, before any document. */
const authorColours = 9;

/**
 * Numbers the authors of tracked changes in the order in which they appear, and returns the changed parts. LibreOffice
 * colours changes by the order in which it met their authors in all documents so far, so the names of other documents
 * would show in the pages of this one.
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
