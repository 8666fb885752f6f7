import { openPackage } from '../../../docx/package/open-package.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { contrastTexts } from './contrast-texts.ts';
import { openReader } from './open-reader.ts';
import { plainSection, readSection } from './read-section.ts';
import { beginPage, splitAtPageBreaks } from './split-at-page-breaks.ts';
import type { Block, DocumentTree, Section } from './tree.ts';
import { childOf, parseElement, type XmlElement } from './xml-element.ts';

/** Reads a .docx into a tree. Throws UnknownFeature for anything that is not fully known, and as `openPackage` for broken files. */
export function readDocument(docx: Uint8Array): DocumentTree {
  const source = openPackage(docx);
  const { settings, contents, readBlock, readStory } = openReader(source);
  const main = source.readText(source.mainPart);
  const root = main === undefined ? undefined : parseElement(main);
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
    if (child.name !== 'w:sectPr') for (const block of readBlock(child)) add(block);
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
  contents.requireSame(sections.flatMap((section) => section.blocks));
  const { addsSpaces, dropsSpaceAtBreaks, tabDistance } = settings;
  return { sections, addsSpaces, dropsSpaceAtBreaks, tabDistance, title: undefined, language: undefined };
}

/** The section that ends with a paragraph (ECMA-376 part 1, 17.6.18). */
function sectionOf(paragraph: XmlElement): XmlElement | undefined {
  const properties = childOf(paragraph, 'w:pPr');
  return properties && childOf(properties, 'w:sectPr');
}
