import type { WordPackage } from '@docmill/word/word-package';
import { UnknownFeature } from '../unknown-feature.ts';
import { strictly } from './attempt.ts';
import { withoutAutoBefore } from './auto-spacing.ts';
import { contrastTexts } from './contrast-texts.ts';
import { readBody, sectionEndingWith } from './document-body.ts';
import { openReader } from './open-reader.ts';
import { readProperties } from './read-properties.ts';
import { plainSection, readSection } from './read-section.ts';
import { spaceAtBreak } from './space-at-break.ts';
import { beginPage, splitAtPageBreaks } from './split-at-page-breaks.ts';
import type { Block, DocumentTree, Paragraph, Section } from './tree.ts';
import type { XmlElement } from './xml-element.ts';

/**
 * Reads a .docx into a tree. Throws UnknownFeature for anything that is not fully supported, and the errors of
 * the package for broken parts.
 */
export function readDocument(source: WordPackage): DocumentTree {
  const { settings, language, defaultStyle, contents, readBlock, readStory, emptyStory } = openReader(source);
  const body = readBody(source, strictly);
  const sections: Section[] = [];
  let blocks: Block[] = [];
  let beginsPage = false;
  const addParagraph = (added: Paragraph): void => {
    const beginsSection = blocks.length === 0;
    const beginsDocument = beginsSection && sections.length === 0;
    const paragraph = beginsDocument ? withoutAutoBefore(added, settings.autoSpacing) : added;
    const previous = blocks.at(-1) ?? sections.at(-1)?.blocks.at(-1);
    if (!beginsSection && !paragraph.format.breaksPageBefore) {
      blocks.push(paragraph);
      return;
    }
    const { isOfWord2013: dropsSpace, isProtectedForm } = settings;
    if (isProtectedForm && !beginsSection && paragraph.format.before > 0)
      throw new UnknownFeature('space above a page break in a protected form');
    const before = spaceAtBreak(paragraph, { previous, beginsSection, dropsSpace });
    blocks.push({ ...paragraph, format: { ...paragraph.format, before } });
  };
  const add = (block: Block): void => {
    if (beginsPage && block.kind === 'table') throw new UnknownFeature('a table after a page break');
    if (block.kind === 'table') blocks.push(block);
    else {
      const { paragraphs, endsPage } = splitAtPageBreaks(beginsPage ? beginPage(block) : block, defaultStyle);
      if (blocks.length === 0 && block.inlines.length > 1 && block.inlines[0]?.kind === 'page-break')
        throw new UnknownFeature('a section that begins with a page break');
      for (const paragraph of paragraphs) addParagraph(paragraph);
      beginsPage = endsPage;
      if (endsPage && settings.splitsBreakAndMark) throw new UnknownFeature('w:splitPgBreakAndParaMark');
    }
  };
  for (const child of body.children) {
    if (child.name !== 'w:sectPr') for (const block of readBlock(child)) add(block);
    const end = sectionEndingWith(child);
    if (end === undefined) continue;
    if (beginsPage) throw new UnknownFeature('a page break at the end of a section');
    if (child.name === 'w:p' && blocks.length > 1 && isBare(child, blocks.at(-1))) blocks.pop();
    else if (blocks.at(-1)?.kind === 'table') throw new UnknownFeature('a section that ends with a table');
    sections.push(
      readSection(end, contrastTexts(blocks), {
        hasEvenPages: settings.hasEvenPages,
        previous: sections.at(-1),
        isOnlySection: sections.length === 0 && child.name === 'w:sectPr',
        readStory,
        attempt: strictly,
        emptyStory,
      }),
    );
    blocks = [];
  }
  if (sections.length === 0 && !beginsPage && blocks.at(-1)?.kind !== 'table') {
    sections.push(plainSection(contrastTexts(blocks)));
    blocks = [];
  }
  if (sections.length === 0 || blocks.length > 0) throw new UnknownFeature('a document without a section');
  contents.requireSame(sections.flatMap((section) => section.blocks));
  const { addsSpaces, tabDistance, isOfWord2013, keepsBrokenLines, decimalPoint } = settings;
  const properties = { ...readProperties(source), language };
  return { sections, addsSpaces, tabDistance, isOfWord2013, keepsBrokenLines, decimalPoint, properties };
}

/**
 * Whether the paragraph that ends a section is empty. LibreOffice removes it, unless it is the section's only paragraph
 * (`DomainMapper::lcl_utext`).
 */
function isBare(element: XmlElement, block: Block | undefined): boolean {
  const runs = element.children.filter(({ name }) => name !== 'w:pPr');
  if (block?.kind !== 'paragraph' || block.anchored.length > 0 || runs.some(hasText)) return false;
  if (block.format.numbering.id !== '0') throw new UnknownFeature('a bare paragraph of a list that ends a section');
  return block.inlines.length === 0;
}

function hasText({ name, text, children }: XmlElement): boolean {
  return (name === 'w:t' && text !== '') || children.some(hasText);
}
