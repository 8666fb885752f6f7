import { decodeEntities, scanXml, tagName, type XmlTag } from '../../package/xml-tokens.ts';

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
const name = `[${quotes}]\\s*([^{}${quotes}]{1,300}?)\\s*[${quotes}]`;
const wholeTag = new RegExp(`^\\s*(\\{\\s*(include|letterhead)\\s+${name}(?:\\s+with\\s+([^{}]+?))?\\s*\\})\\s*$`);
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

/** Whether the markup may have such tags: a quick test, which Word's splitting of texts into runs does not mislead. */
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
    const whole = paragraph.isInTextBox || paragraph.showsMore ? null : wholeTag.exec(paragraph.text);
    if (whole !== null) tags.push(toTag(whole, paragraph, end));
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

function toTag(
  [, written = '', kind, template = '', scope]: RegExpExecArray,
  paragraph: Paragraph,
  end: number,
): IncludeTag {
  const { start, section } = paragraph;
  return {
    kind: kind === 'letterhead' ? 'letterhead' : 'include',
    written,
    template,
    scope,
    start,
    end,
    section,
  };
}
