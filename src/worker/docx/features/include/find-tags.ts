import { decodeEntities, scanXml, tagName, type XmlTag } from '@docmill/word/xml-tokens';

/** A paragraph that consists of a tag such as `{include "terms" with customer}`. */
export interface IncludeTag {
  readonly kind: 'include' | 'letterhead';
  /** The tag with its braces. */
  readonly written: string;
  /** The name or the id of the other template. */
  readonly template: string;
  /** The expression after `with`. */
  readonly scope: string | undefined;
  /** Offsets of the paragraph in the markup. */
  readonly start: number;
  readonly end: number;
  /** Offsets of the page setup that the paragraph carries. */
  readonly section: Range | undefined;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const quotes = '"“”„‟″«»\'‘’‚‛′';
const name = `[${quotes}]([^{}${quotes}]{1,300})[${quotes}]`;
/** Matches text without spaces around it. Each part ends where the next begins, so that matching takes linear time. */
const wholeTag = new RegExp(`^\\{\\s*(include|letterhead)\\s+${name}(?:\\s+with\\s([^{}]+)|\\s*)\\}$`);
/** Elements that a paragraph shows besides its text. */
const shown = new Set(['drawing', 'pict', 'object', 'br', 'sym', 'fldChar', 'fldSimple', 'footnoteReference']);

interface Paragraph {
  readonly start: number;
  text: string;
  isInTextBox: boolean;
  showsMore: boolean;
  sectionStart: number;
  section: Range | undefined;
}

/** Whether the markup may have include tags: a quick test that works however Word splits text into runs. */
export function mayInclude(xml: string): boolean {
  return xml.includes('{') && /\{\s*(?:include|letterhead)\s/.test(xml.replace(/<[^>]*>/g, ''));
}

/** The tags of a main part. Any other tag of this form is a mistake, which `tagProblem` reports. */
export function findIncludeTags(xml: string): readonly IncludeTag[] {
  const tags: IncludeTag[] = [];
  const open: Paragraph[] = [];
  let textBoxes = 0;
  let isText = false;
  const close = (paragraph: Paragraph, end: number) => {
    const tag = paragraph.isInTextBox || paragraph.showsMore ? undefined : readTag(paragraph, end);
    if (tag !== undefined) tags.push(tag);
  };
  const visit = (tag: XmlTag) => {
    const { kind, local, start, end } = tag;
    const last = open.at(-1);
    if (local === 'p' && tagName(xml, tag) === 'w:p') {
      if (kind === 'open') open.push(newParagraph(start, textBoxes > 0));
      else if (kind === 'close' && last !== undefined) close(open.pop() ?? last, end);
    } else if (local === 't') isText = kind === 'open';
    else if (local === 'txbxContent') textBoxes += kind === 'open' ? 1 : kind === 'close' ? -1 : 0;
    else if (last === undefined) return;
    else if (local === 'sectPr') readSection(last, tag);
    else if (shown.has(local)) last.showsMore = true;
  };
  scanXml(xml, visit, ({ kind, start, end }) => {
    const last = open.at(-1);
    if (kind === 'text' && isText && last !== undefined) last.text += decodeEntities(xml.slice(start, end));
  });
  return tags;
}

function newParagraph(start: number, isInTextBox: boolean): Paragraph {
  return { start, text: '', isInTextBox, showsMore: false, sectionStart: -1, section: undefined };
}

function readSection(paragraph: Paragraph, { kind, start, end }: XmlTag): void {
  if (kind === 'open' && paragraph.sectionStart === -1) paragraph.sectionStart = start;
  if (kind === 'empty') paragraph.section = { start, end };
  if (kind === 'close') paragraph.section = { start: paragraph.sectionStart, end };
}

function readTag({ text, start, section }: Paragraph, end: number): IncludeTag | undefined {
  const whole = wholeTag.exec(text.trim());
  const template = whole?.[2]?.trim() ?? '';
  if (whole === null || template === '') return undefined;
  const kind = whole[1] === 'letterhead' ? 'letterhead' : 'include';
  const scope = whole[3]?.trim();
  return { kind, written: whole[0], template, scope, start, end, section };
}
