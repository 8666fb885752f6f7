import { TextEdits } from '@docmill/word/text-edits';
import type { Feature, PartCompiler, TemplatePart } from '../../core/feature.ts';
import { movedSetup, openingSetup, setupPattern, taggedSetup } from '../../core/page-sections.ts';

/** Page setups: those in the paragraphs of tags take effect, and those of sections that print nothing leave nothing. */
export const sections: Feature = { name: 'sections', openPart };

function openPart({ source, name, xml }: TemplatePart): PartCompiler | undefined {
  const isMain = name === source.mainPart;
  const last = xml.lastIndexOf('<w:sectPr');
  if (!isMain || last === -1 || !xml.includes('{')) return undefined;
  // The usual document has one page setup, at its end.
  if (xml.lastIndexOf('<w:sectPr', last - 1) === -1 && !xml.includes('</w:p>', last)) return undefined;
  const edits = new TextEdits();
  let from = 0;
  let wasMoved = false;
  for (const { 0: setup, index } of xml.matchAll(new RegExp(setupPattern, 'g'))) {
    const paragraph = paragraphAround(xml, index, index + setup.length);
    const end = paragraph?.end ?? index + setup.length;
    const role = paragraph && roleOf(xml.slice(paragraph.start, paragraph.end));
    const isLast = paragraph === undefined;
    const holdsTags = xml.slice(from, paragraph?.start ?? index).includes('{');
    const isTagged = role !== undefined || holdsTags || (isLast && wasMoved);
    from = end;
    wasMoved = role !== undefined;
    if (!isTagged) continue;
    if (paragraph === undefined || role === undefined) edits.replace(index, index, taggedSetup);
    else {
      const marks = taggedSetup + movedSetup + (role === 'opening' ? openingSetup : '');
      edits.replace(index, index + setup.length);
      edits.replace(end, end, `<w:p><w:pPr>${marks}${setup}</w:pPr></w:p>`);
    }
  }
  return edits.isEmpty ? undefined : { xml: edits.apply(xml) };
}

/** The paragraph whose properties hold the page setup; undefined for the one of the body. */
function paragraphAround(xml: string, start: number, end: number): { start: number; end: number } | undefined {
  if (!/^\s*(?:<w:pPrChange\b[\s\S]*?<\/w:pPrChange\s*>\s*)?<\/w:pPr\s*>/.test(xml.slice(end, end + 5000)))
    return undefined;
  const open = Math.max(xml.lastIndexOf('<w:p>', start), xml.lastIndexOf('<w:p ', start));
  let depth = 0;
  const tags = /<w:p(?=[\s>])[^>]*?(\/?)>|<\/w:p\s*>/g;
  tags.lastIndex = open;
  for (let tag = tags.exec(xml); tag !== null; tag = tags.exec(xml)) {
    if (tag[1] === '/') continue;
    depth += tag[0].startsWith('</') ? -1 : 1;
    if (depth === 0) return { start: open, end: tag.index + tag[0].length };
  }
  return undefined;
}

const shown =
  /<w:(?:br|tab\/|sym|drawing|pict|object|cr|ptab|fldChar|fldSimple|instrText|hyperlink|ruby|sdt)\b|<m:|<mc:|(?:note|comment)Reference\b/;

/** The effect of a paragraph that contains only section tags, all opening or all closing. */
function roleOf(paragraph: string): 'opening' | 'closing' | undefined {
  if (shown.test(paragraph)) return undefined;
  const text = paragraph.replace(/<[^>]*>/g, '').trim();
  if (/^(?:\{\s*[#^][^{}]*\}\s*)+$/.test(text) || /^\{\s*-\s*w:p\s[^{}]*\}$/.test(text)) return 'opening';
  return /^(?:\{\s*\/[^{}]*\}\s*)+$/.test(text) ? 'closing' : undefined;
}
