import { TextEdits } from '@docmill/word/text-edits';
import { scanXmlTags, tagName } from '@docmill/word/xml-tokens';

/** The body of a main part. */
export interface Body {
  /** Its content without the page setup of the last section. */
  readonly content: string;
  /** The `w:sectPr` of the last section; empty without one. */
  readonly lastSection: string;
  /** Offsets of the content in the part. */
  readonly start: number;
  readonly end: number;
}

/** Undefined for a part without a body. */
export function readBody(xml: string): Body | undefined {
  let depth = 0;
  let start = -1;
  let end = -1;
  let section: { readonly start: number; readonly end: number } | undefined;
  let sectionStart = -1;
  scanXmlTags(xml, (tag) => {
    const { kind, local } = tag;
    if (kind === 'close') depth--;
    if (depth === 1 && local === 'body') {
      if (kind === 'open') start = tag.end;
      if (kind === 'close') end = tag.start;
    }
    if (depth === 2) {
      if (local !== 'sectPr') section = undefined;
      else if (kind === 'open') sectionStart = tag.start;
      else section = { start: kind === 'empty' ? tag.start : sectionStart, end: tag.end };
    }
    if (kind === 'open') depth++;
  });
  if (start === -1 || end === -1) return undefined;
  const contentEnd = section?.start ?? end;
  const lastSection = section === undefined ? '' : xml.slice(section.start, section.end);
  return { content: xml.slice(start, contentEnd), lastSection, start, end: contentEnd };
}

const pageBreak = '<w:r><w:br w:type="page"/></w:r>';

/** The content without the page setups of its sections. A section that begins on a new page leaves a page break. */
export function withoutSections({ content, lastSection }: Body): string {
  const sections = findSections(content);
  if (sections.length === 0) return content;
  const edits = new TextEdits();
  for (const [i, { start, end, paragraphEnd }] of sections.entries()) {
    edits.replace(start, end);
    const next = sections[i + 1];
    const following = next === undefined ? lastSection : content.slice(next.start, next.end);
    const isContinuous = /<w:type\s[^>]*w:val=["']continuous["']/.test(following);
    if (!isContinuous && paragraphEnd !== -1) edits.replace(paragraphEnd, paragraphEnd, pageBreak);
  }
  return edits.apply(content);
}

interface Section {
  readonly start: number;
  end: number;
  /** The end of the paragraph that carries it. */
  paragraphEnd: number;
}

/** The page setups in the content of a body. Those of tracked changes are nested inside these. */
export function findSections(content: string): readonly Section[] {
  const found: Section[] = [];
  if (!content.includes('<w:sectPr')) return found;
  let depth = 0;
  scanXmlTags(content, (tag) => {
    const { kind, local, start, end } = tag;
    const last = found.at(-1);
    if (local === 'sectPr' && tagName(content, tag) === 'w:sectPr') {
      if (kind === 'close') depth--;
      else if (depth === 0) found.push({ start, end, paragraphEnd: -1 });
      if (kind === 'open') depth++;
      if (depth === 0 && last !== undefined && kind === 'close') last.end = end;
    } else if (local === 'p' && kind === 'close' && last?.paragraphEnd === -1) last.paragraphEnd = start;
  });
  return found;
}

/** The name of the last top-level element, such as `w:tbl`. */
export function lastElement(content: string): string {
  let depth = 0;
  let last = '';
  scanXmlTags(content, (tag) => {
    if (tag.kind === 'close') depth--;
    if (depth === 0) last = tagName(content, tag);
    if (tag.kind === 'open') depth++;
  });
  return last;
}
