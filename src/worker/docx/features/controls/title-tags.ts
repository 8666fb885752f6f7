import { escapeAttribute, escapeText } from '@docmill/word/escape-xml';
import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, decodeEntities, scanXmlTags, tagName, type XmlTag } from '@docmill/word/xml-tokens';
import type { Binding } from './data-binding.ts';

/** Offsets of an element: its start tag begins at `start` and ends at `innerStart`. */
interface Range {
  readonly start: number;
  readonly innerStart: number;
  innerEnd: number;
  end: number;
}

interface Control extends Range {
  properties: Range | undefined;
  content: Range | undefined;
  readonly inner: Control[];
}

/** The expression that fills a control. */
export interface Filling {
  readonly expression: string;
  /** The item of a repeating section around it, if that is bound to data. */
  readonly around?: Binding | undefined;
}

/**
 * What fills a control with these properties (`w:sdtPr`) and this content, within the bound item `around`. Undefined for
 * a control that nothing fills.
 */
export type FillingOf = (properties: string, content: string, around: Binding | undefined) => Filling | undefined;

/** Whether a part has controls that may be filled. */
export function mayHaveControls(xml: string): boolean {
  return xml.includes('<w:sdtPr');
}

/**
 * Writes tags into the content of controls that their title, their tag or their data binding fills. Checkboxes are left
 * to `readCheckbox`.
 */
export function writeTitleTags(xml: string, fillingOf: FillingOf): string {
  const edits = new TextEdits();
  for (const control of findControls(xml)) writeTag(xml, control, undefined, { fillingOf, edits });
  return edits.isEmpty ? xml : edits.apply(xml);
}

function findControls(xml: string): readonly Control[] {
  const found: Control[] = [];
  const open: Control[] = [];
  const close = (range: Range | undefined, tag: XmlTag) => {
    if (range === undefined) return;
    range.innerEnd = tag.start;
    range.end = tag.end;
  };
  scanXmlTags(xml, (tag) => {
    if (!tag.local.startsWith('sdt')) return;
    const name = tagName(xml, tag);
    const top = open.at(-1);
    const range = { start: tag.start, innerStart: tag.end, innerEnd: -1, end: -1 };
    if (name === 'w:sdt' && tag.kind === 'open') {
      const control = { ...range, properties: undefined, content: undefined, inner: [] };
      (top?.inner ?? found).push(control);
      open.push(control);
    } else if (name === 'w:sdt') close(open.pop(), tag);
    else if (top === undefined || tag.kind === 'empty') return;
    else if (name === 'w:sdtPr' && tag.kind === 'open') top.properties ??= range;
    else if (name === 'w:sdtPr') close(top.properties, tag);
    else if (name === 'w:sdtContent' && tag.kind === 'open') top.content ??= range;
    else if (name === 'w:sdtContent') close(top.content, tag);
  });
  return found.filter(isComplete);
}

function isComplete({ end, properties, content }: Control): boolean {
  return end > 0 && (properties?.end ?? -1) > 0 && (content?.end ?? -1) > 0;
}

const tagInText = /\{[^{}]+\}/;

interface Writer {
  readonly fillingOf: FillingOf;
  readonly edits: TextEdits;
}

function writeTag(xml: string, control: Control, around: Binding | undefined, writer: Writer): void {
  const { properties, content, inner } = control;
  if (properties === undefined || content === undefined) return;
  const written = xml.slice(properties.start, properties.end);
  const inside = xml.slice(content.innerStart, content.innerEnd);
  const isSection = /<w15:repeatingSection[\s/>]/.test(written);
  // Tags in the text take precedence over the title.
  const isSettled = written.includes('<w14:checkbox') || (!isSection && tagInText.test(inside.replace(/<[^>]*>/g, '')));
  const filling = isSettled ? undefined : writer.fillingOf(written, inside, around);
  const complete = inner.filter(isComplete);
  if (filling === undefined || isSection) {
    if (filling !== undefined) repeatItem(xml, complete, filling.expression.replace(/^#\s*/, ''), writer.edits);
    const nested = filling === undefined ? complete : complete.slice(0, 1);
    for (const one of nested) writeTag(xml, one, filling?.around ?? around, writer);
    return;
  }
  const filled = /<w:picture[\s/>]/.test(written)
    ? withPictureTag(inside, filling.expression.replace(/^%\s*/, ''))
    : withText(inside, textTag(filling.expression, written), written);
  writer.edits.replace(content.innerStart, content.innerEnd, filled);
}

/** Leaves one item of a repeating section, which a section of the template language repeats. */
function repeatItem(xml: string, items: readonly Control[], expression: string, edits: TextEdits): void {
  const [first] = items;
  if (first?.content === undefined) return;
  const end = items.at(-1)?.end ?? first.end;
  const { innerStart, innerEnd } = first.content;
  const inside = xml.slice(innerStart, innerEnd);
  const close = runOf('{/}', '');
  if (/^\s*<w:tr[\s>]/.test(inside)) {
    const from = /<w:p(?:\s[^>]*)?(?<!\/)>(?:<w:pPr(?:\s[^>]*)?(?:\/>|>[\s\S]*?<\/w:pPr>))?/.exec(inside);
    const to = inside.lastIndexOf('</w:p>');
    if (from === null || to < from.index) return;
    const start = innerStart + from.index + from[0].length;
    edits.replace(start, start, runOf(`{-w:tr ${expression}}`, ''));
    edits.replace(innerStart + to, innerStart + to, close);
    edits.replace(first.end, end);
    return;
  }
  const isBlock = /^\s*<w:(?:p|tbl|sdt)[\s>]/.test(inside);
  const [before, after] = [runOf(`{#${expression}}`, ''), close].map((run) => (isBlock ? `<w:p>${run}</w:p>` : run));
  edits.replace(first.start, first.start, before);
  edits.replace(first.end, end, after);
}

function textTag(expression: string, properties: string): string {
  const format = /<w:dateFormat\b[^>]*?w:val="([^"]*)"/.exec(properties)?.[1];
  if (!/<w:date[\s>]/.test(properties) || format === undefined) return `{${expression}}`;
  const language = /<w:lid\b[^>]*?w:val="([^"]*)"/.exec(properties)?.[1];
  const picture = decodeEntities(format).replace(/[\\"]/g, '\\$&').replace(/[{}]/g, '');
  return `{${expression} | datePicture:"${picture}"${language === undefined ? '' : `:"${decodeEntities(language)}"`}}`;
}

/** The content of a control with one run in its first paragraph. */
function withText(content: string, tag: string, properties: string): string {
  const ownFormat = /<w:rPr>[\s\S]*?<\/w:rPr>/.exec(properties)?.[0] ?? '';
  const shownFormat = /<w:r(?:\s[^>]*)?>\s*(<w:rPr>[\s\S]*?<\/w:rPr>)/.exec(content)?.[1] ?? '';
  const run = runOf(tag, properties.includes('<w:showingPlcHdr') ? ownFormat : shownFormat);
  const first = /<w:p(?:\s[^>]*)?>/.exec(content);
  if (first === null) return /<w:tc[\s>]|<w:tr[\s>]/.test(content) ? content : run;
  const last = content.lastIndexOf('</w:p>');
  const start = first[0].endsWith('/>') ? `${first[0].slice(0, -2)}>` : first[0];
  const layout = /^<w:pPr(?:\s[^>]*)?>[\s\S]*?<\/w:pPr>/.exec(content.slice(first.index + first[0].length))?.[0] ?? '';
  const after = last === -1 ? content.slice(first.index + first[0].length) : content.slice(last + '</w:p>'.length);
  return `${content.slice(0, first.index)}${start}${layout}${run}</w:p>${after}`;
}

function runOf(tag: string, properties: string): string {
  return `<w:r>${properties}<w:t xml:space="preserve">${escapeText(tag)}</w:t></w:r>`;
}

/** The picture of a control as a placeholder picture, which `images` fills. */
function withPictureTag(content: string, expression: string): string {
  const edits = new TextEdits();
  let isFirst = true;
  scanXmlTags(content, (tag) => {
    if (tag.local !== 'docPr' || tag.kind === 'close' || !isFirst) return;
    isFirst = false;
    const end = tag.kind === 'empty' ? tag.end - 2 : tag.end - 1;
    const kept = content
      .slice(tag.start, end)
      .replace(/\s(?:descr|title)="[^"]*"/g, '')
      .trimEnd();
    edits.replace(tag.start, end, `${kept} descr="${escapeAttribute(`{%${expression}}`)}"`);
  });
  return edits.apply(content);
}

/** The tag in the title or the tag property of a control, without its braces. */
export function titleTag(properties: string): string | undefined {
  let found: string | undefined;
  scanXmlTags(properties, (tag) => {
    if (found !== undefined || tag.kind === 'close' || (tag.local !== 'alias' && tag.local !== 'tag')) return;
    found = /^\s*\{([^{}]+)\}\s*$/.exec(attributeOf(properties, tag, 'val') ?? '')?.[1]?.trim();
  });
  return found;
}
