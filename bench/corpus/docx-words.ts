import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { scanXmlTags, textContent, type XmlTag } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../../src/worker/docx/package/open-package.ts';

/** The number of occurrences of each word, in lower case. */
export type Words = ReadonlyMap<string, number>;

/** Parts with printed text that the main part refers to. */
const printedKinds = new Set(['header', 'footer', 'footnotes', 'endnotes', 'chart']);
/** Elements whose text is printed, in WordprocessingML, DrawingML and charts. */
const textElements = new Set(['t', 'v']);
/**
 * Elements that readers ignore: fallbacks of displayed content, deleted and hidden text, and the numbers behind charts.
 */
const skipped = new Set(['Fallback', 'del', 'moveFrom', 'numCache', 'numLit', 'separator', 'tx2', 'docPart', 'txPr']);
const boundaries = new Set(
  ['p', 'br', 'tab', 'cr', 'tc', 'pt', 'noBreakHyphen'].concat(
    // Formulas are printed in two dimensions.
    ['sup', 'sub', 'num', 'den', 'deg', 'e', 'f'],
  ),
);
const minChars = 2;

/**
 * The words that Word prints: body, headers and footers in use, notes, text boxes and charts. For fields, the last
 * result counts.
 */
export function docxWords(docx: DocxPackage): Words {
  const main = docx.readText(docx.mainPart) ?? '';
  const used = usedReferences(docx, main);
  const relationships = readRelationships(docx.readText(relationshipsPartOf(docx.mainPart)) ?? '');
  const targets = relationships
    .filter(({ kind, id, isExternal }) => !isExternal && printedKinds.has(kind) && used(kind, id))
    .map(({ target }) => resolveTarget(docx.mainPart, target));
  const words = new Map<string, number>();
  for (const name of [docx.mainPart, ...targets]) {
    const found = splitWords(printedText(docx.readText(name) ?? ''));
    // A chart repeats its categories for each series, but prints them once.
    const printed = /chart/i.test(docx.contentType(name) ?? '') ? new Set(found) : found;
    for (const word of printed) words.set(word, (words.get(word) ?? 0) + 1);
  }
  return words;
}

/**
 * Words that occur less often in the PDF than in the document. Spaces are ignored, because a PDF does not contain any.
 */
export function lostWords(words: Words, pdf: string): string[] {
  const text = normalize(pdf).replace(/[^\p{L}\p{N}]+/gu, '');
  const lost: string[] = [];
  for (const [word, count] of words) {
    let found = 0;
    for (let at = text.indexOf(word); at >= 0 && found < count; at = text.indexOf(word, at + word.length)) found++;
    if (found < count) lost.push(count - found === 1 ? word : `${word} (${count - found})`);
  }
  return lost;
}

function splitWords(text: string): string[] {
  return normalize(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= minChars && !/^\d+$/.test(word));
}

/** Soft hyphens and joiners are not printed. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .toLowerCase();
}

function usedReferences(docx: DocxPackage, main: string): (kind: string, id: string) => boolean {
  const settings = docx.partNames.find((name) => /(?:^|\/)settings\.xml$/i.test(name));
  const hasEven = /<w:evenAndOddHeaders(?:\s*\/>|\s+w:val="(?:1|true|on)")/.test(docx.readText(settings ?? '') ?? '');
  const shown = new Set<string>();
  for (const [section] of main.matchAll(/<w:sectPr[\s\S]*?<\/w:sectPr>/g)) {
    const hasFirst = /<w:titlePg(?:\s*\/>|\s+w:val="(?:1|true|on)")/.test(section);
    for (const [reference] of section.matchAll(/<w:(?:header|footer)Reference[^>]*>/g)) {
      const type = /w:type="(\w+)"/.exec(reference)?.[1] ?? 'default';
      const id = /r:id="([^"]*)"/.exec(reference)?.[1] ?? '';
      // The document may have no even page.
      if (type === 'default' || (type === 'first' && hasFirst)) shown.add(id);
      if (type === 'even' && hasEven && main.includes('w:type="page"')) shown.add(id);
    }
  }
  return (kind, id) => (kind !== 'header' && kind !== 'footer') || shown.has(id);
}

/** The printed text of a part. */
function printedText(xml: string): string {
  let text = '';
  let depth = 0;
  let cutAt = -1;
  let textStart = -1;
  let isHidden = false;
  scanXmlTags(xml, (tag: XmlTag) => {
    if (tag.kind === 'open') depth++;
    if (cutAt >= 0) {
      if (tag.kind === 'close' && depth === cutAt) cutAt = -1;
      if (tag.kind === 'close') depth--;
      return;
    }
    if (tag.kind === 'open' && skipped.has(tag.local)) cutAt = depth;
    if (tag.local === 'r' && tag.kind === 'open') isHidden = false;
    if (tag.local === 'vanish' && !/w:val="(?:0|false)"/.test(xml.slice(tag.start, tag.end))) isHidden = true;
    if (boundaries.has(tag.local)) text += ' ';
    if (textElements.has(tag.local) && tag.kind === 'open') textStart = tag.end;
    if (textElements.has(tag.local) && tag.kind === 'close' && textStart >= 0) {
      if (!isHidden) text += textContent(xml.slice(textStart, tag.start));
      textStart = -1;
    }
    if (tag.kind === 'close') depth--;
  });
  return text;
}
