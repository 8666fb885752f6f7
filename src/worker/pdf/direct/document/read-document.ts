import { LRUCache } from 'lru-cache';
import { type DocxPackage, openPackage } from '../../../docx/package/open-package.ts';
import { readRelationships, relationshipsPartOf, resolveTarget } from '../../../docx/package/relationships.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { contrastTexts } from './contrast-texts.ts';
import { createListCounter } from './count-lists.ts';
import { contentOf } from './read-control.ts';
import { readFormats } from './read-formats.ts';
import { type ParagraphContext, readParagraph } from './read-paragraph.ts';
import type { ReadPicture } from './read-picture.ts';
import { plainSection, readSection } from './read-section.ts';
import { readTable } from './read-table.ts';
import { beginPage, splitAtPageBreaks } from './split-at-page-breaks.ts';
import type { Block, DocumentTree, Section } from './tree.ts';
import { childOf, isForeignMarker, parseElement, type XmlElement } from './xml-element.ts';

/** Elements between blocks that take no space. */
const markers: ReadonlySet<string> = new Set([
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:proofErr',
  'w:permStart',
  'w:permEnd',
]);

/** Reads a .docx into a tree. Throws UnknownFeature for anything that is not fully known, and as `openPackage` for broken files. */
export function readDocument(docx: Uint8Array): DocumentTree {
  const source = openPackage(docx);
  const relations = readRelationships(source.readText(relationshipsPartOf(source.mainPart)) ?? '');
  const { settings, numbering, styles, themeFont } = readFormats(source, (kind) => {
    const found = relations.find((relation) => relation.kind === kind && !relation.isExternal);
    return found && resolveTarget(source.mainPart, found.target);
  });
  const { compatibilityMode } = settings;
  const common = { styles, themeFont, compatibilityMode, numbering };
  const readStory = (id: string): readonly Block[] => {
    const found = relations.find((relation) => relation.id === id && !relation.isExternal);
    const name = found && resolveTarget(source.mainPart, found.target);
    const root = name === undefined ? undefined : readPart(source, name);
    if (name === undefined || root === undefined) throw new UnknownFeature('a missing header or footer');
    // LibreOffice counts the lists of headers and footers for themselves.
    const lists = createListCounter(numbering);
    const context = { ...common, lists, readPicture: pictureReader(source, name), linkOf: linkReader(source, name) };
    return contrastTexts(root.children.flatMap((child) => readBlock(child, context)));
  };
  const lists = createListCounter(numbering);
  const { mainPart } = source;
  const context = {
    ...common,
    lists,
    readPicture: pictureReader(source, mainPart),
    linkOf: linkReader(source, mainPart),
  };
  const root = readPart(source, source.mainPart);
  const body = root && childOf(root, 'w:body');
  if (body === undefined) throw new UnknownFeature('a document without a body');
  if (root !== undefined && childOf(root, 'w:background') !== undefined) throw new UnknownFeature('w:background');
  const sections: Section[] = [];
  let blocks: Block[] = [];
  let beginsPage = false;
  const add = (block: Block): void => {
    if (beginsPage && block.kind === 'table') throw new UnknownFeature('a table behind a page break');
    if (block.kind === 'table') blocks.push(block);
    else {
      const { paragraphs, endsPage } = splitAtPageBreaks(beginsPage ? beginPage(block) : block);
      blocks.push(...paragraphs);
      beginsPage = endsPage;
      if (endsPage && settings.splitsBreakAndMark) throw new UnknownFeature('w:splitPgBreakAndParaMark');
    }
  };
  for (const child of body.children) {
    if (child.name !== 'w:sectPr') for (const block of readBlock(child, context)) add(block);
    const end = child.name === 'w:sectPr' ? child : sectionOf(child);
    if (end === undefined) continue;
    if (beginsPage) throw new UnknownFeature('a page break at the end of a section');
    sections.push(
      readSection(end, contrastTexts(blocks), {
        hasEvenPages: settings.hasEvenPages,
        previous: sections.at(-1),
        readStory,
      }),
    );
    blocks = [];
  }
  if (sections.length === 0 && !beginsPage) {
    sections.push(plainSection(contrastTexts(blocks)));
    blocks = [];
  }
  if (sections.some((section) => section.blocks.at(-1)?.kind === 'table'))
    throw new UnknownFeature('a section that ends with a table');
  if (sections.length === 0 || blocks.length > 0) throw new UnknownFeature('a document without a section');
  const { addsSpaces, tabDistance } = settings;
  return { sections, addsSpaces, tabDistance, title: undefined, language: undefined };
}

function pictureReader(source: DocxPackage, part: string): ReadPicture {
  const relations = readRelationships(source.readText(relationshipsPartOf(part)) ?? '');
  return (id) => {
    const found = relations.find((relation) => relation.id === id && relation.kind === 'image' && !relation.isExternal);
    return found && source.read(resolveTarget(part, found.target));
  };
}

function linkReader(source: DocxPackage, part: string): ParagraphContext['linkOf'] {
  const relations = readRelationships(source.readText(relationshipsPartOf(part)) ?? '');
  return (id) => relations.find((one) => one.id === id && one.kind === 'hyperlink' && one.isExternal)?.target;
}

/** Headers and footers of the documents before: those of a template share most of them. */
const sharedParts = new LRUCache<string, XmlElement>({
  max: 300,
  maxSize: 4_000_000,
  maxEntrySize: 400_000,
  sizeCalculation: (_part, xml) => xml.length,
});

function readPart(source: DocxPackage, name: string): XmlElement | undefined {
  const xml = source.readText(name);
  if (xml === undefined || name === source.mainPart) return xml === undefined ? undefined : parseElement(xml);
  const part = sharedParts.get(xml) ?? parseElement(xml);
  sharedParts.set(xml, part);
  return part;
}

/** The section that ends with a paragraph (ECMA-376 part 1, 17.6.18). */
function sectionOf(paragraph: XmlElement): XmlElement | undefined {
  const properties = childOf(paragraph, 'w:pPr');
  return properties && childOf(properties, 'w:sectPr');
}

function readBlock(element: XmlElement, context: ParagraphContext): readonly Block[] {
  if (element.name === 'w:p') return [readParagraph(element, context)];
  if (element.name === 'w:tbl') return [readTable(element, context, { isInCell: false, readBlock: readCellBlock })];
  if (markers.has(element.name) || isForeignMarker(element)) return [];
  if (element.name === 'w:sdt') return contentOf(element).flatMap((child) => readBlock(child, context));
  throw new UnknownFeature(element.name);
}

/** The blocks of a cell; a table in it contains no other table. */
function readCellBlock(element: XmlElement, context: ParagraphContext): readonly Block[] {
  if (element.name === 'w:tbl') return [readTable(element, context, { isInCell: true, readBlock: readInnerBlock })];
  return readBlock(element, context);
}

function readInnerBlock(element: XmlElement, context: ParagraphContext): readonly Block[] {
  if (element.name === 'w:tbl') throw new UnknownFeature('a table in a table in a table');
  return readBlock(element, context);
}
