import type { NumberFormat } from '../../core/styles/numbering.ts';
import { webAddress } from '../../language/web-address.ts';
import type { Alignment, Block } from './blocks.ts';
import { collectTable } from './collect-table.ts';
import { HtmlProblem, htmlLimits } from './html-limits.ts';
import { InlineText, isBlank } from './inline-text.ts';
import { attribute, type DomElement, type DomNode, isElement } from './parse-html.ts';
import { pictureOf } from './picture-element.ts';
import { type Collection, type OpenList, outermost, type Surroundings } from './surroundings.ts';
import { alignmentOf, directionOf, formatInside } from './text-format.ts';

/** Elements that are omitted with their content. */
const droppedElements: ReadonlySet<string> = new Set(
  (
    'script style template noscript noembed noframes iframe object embed applet audio video canvas svg math head title ' +
    'select datalist input'
  ).split(' '),
);

/** Elements that begin and end a line. All other unknown elements are inline. */
const blockElements: ReadonlySet<string> = new Set(
  (
    'p div center section article header footer main nav aside address figure figcaption details summary dialog fieldset ' +
    'legend form hgroup search menu dl dt dd li ul ol blockquote pre h1 h2 h3 h4 h5 h6 caption option optgroup'
  ).split(' '),
);

/** Converts parsed HTML to paragraphs and tables. Throws HtmlProblem when a limit is exceeded. */
export function collectBlocks(
  nodes: readonly DomNode[],
  options: Pick<Collection, 'baseHalfPoints' | 'omitPicture'>,
): readonly Block[] {
  const collection: Collection = {
    ...options,
    cells: 0,
    collect: (inner, around) => collectInside(inner, around, collection),
  };
  return collection.collect(nodes, outermost);
}

function collectInside(nodes: readonly DomNode[], around: Surroundings, collection: Collection): Block[] {
  const collector = new BlockCollector(collection);
  collector.visitAll(nodes, around);
  collector.endParagraph();
  return collector.blocks;
}

class BlockCollector {
  readonly blocks: Block[] = [];
  readonly #collection: Collection;
  #text: InlineText | undefined;

  constructor(collection: Collection) {
    this.#collection = collection;
  }

  visitAll(nodes: readonly DomNode[], around: Surroundings): void {
    for (const node of nodes) {
      if (isElement(node)) this.#visitElement(node, around);
      else if (node.nodeName === '#text' && 'value' in node) this.#addText(node.value, around);
    }
  }

  endParagraph(): void {
    this.#text?.end();
    this.#text = undefined;
  }

  #addText(text: string, around: Surroundings): void {
    checkText(text);
    if (this.#text === undefined && isBlank(text) && !(around.keepsSpace && text !== '')) return;
    const paragraph = this.#openParagraph(around);
    if (around.keepsSpace) paragraph.addPreformatted(text, around.format, around.link);
    else paragraph.add(text, around.format, around.link);
  }

  #openParagraph(around: Surroundings): InlineText {
    if (this.#text !== undefined) return this.#text;
    const text = new InlineText();
    this.#text = text;
    const { role, headingLevel, quoteDepth, align, direction, item } = around;
    const list = item && { list: item.list, level: item.level, isNumbered: !item.isNumbered };
    if (item !== undefined) item.isNumbered = true;
    const { content } = text;
    this.blocks.push({ kind: 'paragraph', role, headingLevel, quoteDepth, align, direction, list, content });
    return text;
  }

  #visitElement(element: DomElement, outside: Surroundings): void {
    const { tagName } = element;
    if (droppedElements.has(tagName)) return;
    if (tagName === 'br') this.#openParagraph(outside).addBreak();
    else if (tagName === 'hr') this.#addRule(outside);
    else if (tagName === 'table') this.#addTable(element, outside);
    else if (tagName === 'img') this.#addPicture(element, outside);
    else {
      const inside = this.#surroundingsInside(element, outside);
      if (!blockElements.has(tagName)) this.visitAll(element.childNodes, inside);
      else this.#visitBlock(element, inside);
    }
  }

  #visitBlock(element: DomElement, inside: Surroundings): void {
    this.endParagraph();
    const before = this.blocks.length;
    this.visitAll(element.childNodes, inside);
    if (element.tagName === 'li' && this.blocks.length === before) this.#openParagraph(inside);
    this.endParagraph();
  }

  #surroundingsInside(element: DomElement, outside: Surroundings): Surroundings {
    const { tagName } = element;
    const format = formatInside(element, outside.format, this.#collection.baseHalfPoints);
    const align = alignmentOf(element) ?? outside.align;
    const isBlock = tagName === 'table' || blockElements.has(tagName);
    const direction = (isBlock ? directionOf(element) : undefined) ?? outside.direction;
    const around = { ...outside, format, align, direction };
    if (tagName === 'a') return { ...around, link: webAddress(attribute(element, 'href') ?? '') ?? outside.link };
    if (/^h[1-6]$/.test(tagName))
      return { ...around, role: 'heading', headingLevel: Number(tagName[1]), item: undefined, list: undefined };
    if (tagName === 'blockquote')
      return { ...around, role: 'quote', quoteDepth: outside.quoteDepth + 1, item: undefined, list: undefined };
    if (tagName === 'pre') {
      return { ...around, role: around.role === 'text' ? 'code' : around.role, keepsSpace: true };
    }
    if (tagName === 'ul' || tagName === 'ol' || tagName === 'menu')
      return { ...around, list: openList(element, outside) };
    if (tagName === 'li') return { ...around, item: { ...(outside.list ?? bulletList), isNumbered: false } };
    return around;
  }

  #addRule(around: Surroundings): void {
    this.endParagraph();
    this.#openParagraph({ ...around, role: 'rule', item: undefined });
    this.endParagraph();
  }

  #addPicture(element: DomElement, outside: Surroundings): void {
    const picture = pictureOf(element, outside.link);
    if (picture === undefined) this.#collection.omitPicture();
    else this.#openParagraph(outside).addPicture(picture);
  }

  #addTable(element: DomElement, outside: Surroundings): void {
    this.endParagraph();
    const tableDepth = outside.tableDepth + 1;
    if (tableDepth > htmlLimits.tableDepth)
      throw new HtmlProblem(`nests HTML tables deeper than ${htmlLimits.tableDepth} levels`);
    const { format, align, direction } = this.#surroundingsInside(element, outside);
    const aligned = alignedInTable(element, align, outside.align);
    const around = { ...outermost, format, align: aligned, direction, tableDepth };
    const { captions, table } = collectTable(element, around, this.#collection);
    this.blocks.push(...captions, ...(table === undefined ? [] : [table]));
  }
}

/** `align` of a table moves the table, not the text in it. */
function alignedInTable(table: DomElement, inside: Alignment | undefined, outside: Alignment | undefined) {
  return attribute(table, 'align') === undefined ? inside : outside;
}

const bulletList: OpenList = { list: { format: 'bullet', start: 1 }, level: 0 };
const maxListLevel = 8;

const numberFormats: Readonly<Record<string, NumberFormat>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

function openList(element: DomElement, { list: around }: Surroundings): OpenList {
  const level = around === undefined ? 0 : Math.min(around.level + 1, maxListLevel);
  if (element.tagName !== 'ol') return { list: { format: 'bullet', start: 1 }, level };
  const type = attribute(element, 'type') ?? '';
  const start = /^\d{1,5}$/.exec((attribute(element, 'start') ?? '').trim())?.[0];
  const format = Object.hasOwn(numberFormats, type) ? (numberFormats[type] ?? 'decimal') : 'decimal';
  return { list: { format, start: start === undefined ? 1 : Math.min(Number(start), 32_767) }, level };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML 1.0 (2.2 Char) excludes
const notXml = /[\u0000-\u0008\u000b\u000e-\u001f\ufffe\uffff]/;

/** Rejects characters that XML forbids, which HTML character references can produce. */
function checkText(text: string): void {
  const code = notXml.exec(text)?.[0].charCodeAt(0);
  if (code === undefined) return;
  const name = code.toString(16).toUpperCase().padStart(4, '0');
  throw new HtmlProblem(`contains the character U+${name}, which a Word document cannot hold`);
}
