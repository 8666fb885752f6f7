import type { Block, ParagraphBlock } from './blocks.ts';
import type { Look, ParagraphLooks } from './paragraph-look.ts';
import { type LinkWriter, writeRuns } from './write-runs.ts';
import { writeTable } from './write-table.ts';

export interface BlockOptions {
  readonly looks: ParagraphLooks;
  readonly links: LinkWriter;
  readonly tableStyleId: string | undefined;
  /** The look of the paragraph that is replaced, and of the tag. */
  readonly tag: Look;
  readonly push: (xml: string) => void;
}

/** Paragraphs and tables as WordprocessingML, for any place where paragraphs may stand; tables never touch. */
export function writeBlocks(blocks: readonly Block[], options: BlockOptions): void {
  const { paragraph, run } = options.tag;
  const first = { run, paragraph: paragraph.without('sectPr', 'pPrChange') };
  const later = { run, paragraph: first.paragraph.without('pageBreakBefore') };
  const inCell = { run, paragraph: later.paragraph.without('framePr', 'ind', 'numPr', 'keepNext') };
  writeSequence(blocks, { first, later, inCell }, options);
}

interface Looks {
  readonly first: Look;
  readonly later: Look;
  readonly inCell: Look;
}

function writeSequence(blocks: readonly Block[], tag: Looks, options: BlockOptions): void {
  for (const [i, block] of blocks.entries()) {
    if (block.kind === 'paragraph') writeParagraph(block, i === 0 ? tag.first : tag.later, options);
    else {
      if (blocks[i - 1]?.kind === 'table') options.push(emptyParagraph(tag.later));
      writeTable(block, {
        styleId: options.tableStyleId,
        push: options.push,
        writeCell: (inner) => writeCell(inner, tag.inCell, options),
      });
    }
  }
}

function writeCell(blocks: readonly Block[], tag: Look, options: BlockOptions): void {
  writeSequence(blocks, { first: tag, later: tag, inCell: tag }, options);
  if (blocks.at(-1)?.kind !== 'paragraph') options.push(emptyParagraph(tag));
}

function writeParagraph(block: ParagraphBlock, tag: Look, { looks, links, push }: BlockOptions): void {
  const { paragraph, run } = looks.of(block, tag);
  push(`<w:p>${paragraph.toXml()}${writeRuns(block.content, run, links)}</w:p>`);
}

function emptyParagraph({ paragraph }: Look): string {
  return `<w:p>${paragraph.toXml()}</w:p>`;
}
