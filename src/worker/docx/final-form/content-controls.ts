import { TextEdits } from '@docmill/word/text-edits';
import { scanXmlTags, tagName, type XmlTag } from '@docmill/word/xml-tokens';
import type { DocxOptions } from '../../../shared/output-options.ts';
import { isTemplatedPart } from '../core/compile/templated-parts.ts';
import type { DocxPackage } from '../package/open-package.ts';

type Handling = NonNullable<DocxOptions['contentControls']>;

/** The parts of a finished document with its content controls locked, or removed except for their content. */
export function changeControls(docx: DocxPackage, handling: Exclude<Handling, 'keep'>): ReadonlyMap<string, Buffer> {
  const changes = new Map<string, Buffer>();
  for (const name of docx.partNames) {
    if (!isTemplatedPart(docx, name)) continue;
    const xml = docx.readText(name) ?? '';
    if (!xml.includes('<w:sdt>') && !xml.includes('<w:sdt ')) continue;
    const changed = handling === 'remove' ? withoutControls(xml) : withLockedControls(xml);
    if (changed !== xml) changes.set(name, Buffer.from(changed));
  }
  return changes;
}

const parts = new Set(['w:sdtPr', 'w:sdtEndPr']);
const wrappers = new Set(['w:sdt', 'w:sdtContent']);

function withoutControls(xml: string): string {
  const edits = new TextEdits();
  let start: XmlTag | undefined;
  scanXmlTags(xml, (tag) => {
    if (!tag.local.startsWith('sdt')) return;
    const name = tagName(xml, tag);
    if (wrappers.has(name)) edits.replace(tag.start, tag.end);
    if (!parts.has(name)) return;
    if (tag.kind === 'open') start = tag;
    else edits.replace(tag.kind === 'close' ? (start?.start ?? tag.start) : tag.start, tag.end);
  });
  return edits.apply(xml);
}

/** `w:lock` follows the name, the tag and the id of a control (ECMA-376 part 1, 17.5.2.23; any order is allowed). */
function withLockedControls(xml: string): string {
  const unlocked = xml.replace(/<w:lock\s[^>]*\/>/g, '');
  return unlocked
    .replace(/<w:sdtPr\s*\/>/g, '<w:sdtPr></w:sdtPr>')
    .replace(/<\/w:sdtPr>/g, '<w:lock w:val="sdtContentLocked"/></w:sdtPr>');
}
