import { emuPer } from '../../core/pictures/length.ts';
import type { Size } from '../../core/pictures/picture.ts';
import { indentTwips } from '../../core/styles/numbering.ts';
import { separatorProperties, shadeProperty } from '../../core/styles/property-list.ts';
import type { Block, HtmlTableCell, Inline, ParagraphBlock, TableBlock, TableRow } from './blocks.ts';
import type { BlockStyle, ParagraphStyler } from './paragraph-styler.ts';
import { type RunOptions, writeRuns } from './write-runs.ts';

interface BlockOptions {
  readonly styler: ParagraphStyler;
  /** The options for runs that have this space available. */
  readonly runs: (space: Size) => RunOptions;
  readonly space: Size;
  readonly tableStyleId: string | undefined;
  /** The formatting of the replaced paragraph and of the tag. */
  readonly tag: BlockStyle;
  readonly push: (xml: string) => void;
}

/** Writes paragraphs and tables as WordprocessingML, with a paragraph between adjacent tables. */
export function writeBlocks(blocks: readonly Block[], options: BlockOptions): void {
  const { paragraph, run } = options.tag;
  const first = { run, paragraph: paragraph.without('sectPr', 'pPrChange') };
  const later = { run, paragraph: first.paragraph.without('pageBreakBefore') };
  const unlisted = options.styler.isListed(later.paragraph) ? later.paragraph.without('pStyle') : later.paragraph;
  const inCell = { run, paragraph: unlisted.without('framePr', 'ind', 'numPr', 'keepNext') };
  writeSequence(blocks, { first, later, inCell }, options);
}

interface BlockStyles {
  readonly first: BlockStyle;
  readonly later: BlockStyle;
  readonly inCell: BlockStyle;
}

function writeSequence(blocks: readonly Block[], tag: BlockStyles, options: BlockOptions): void {
  for (const [i, block] of blocks.entries()) {
    if (block.kind === 'paragraph') writeParagraph(block, i === 0 ? tag.first : tag.later, options);
    else {
      if (blocks[i - 1]?.kind === 'table') options.push(emptyParagraph(tag.later));
      writeTable(block, {
        styleId: options.tableStyleId,
        push: options.push,
        writeCell: (inner, share) =>
          writeCell(inner, tag.inCell, { ...options, space: cellSpace(options.space, share) }),
      });
    }
  }
}

function writeCell(blocks: readonly Block[], tag: BlockStyle, options: BlockOptions): void {
  writeSequence(blocks, { first: tag, later: tag, inCell: tag }, options);
  if (blocks.at(-1)?.kind !== 'paragraph') options.push(emptyParagraph(tag));
}

function writeParagraph(block: ParagraphBlock, tag: BlockStyle, options: BlockOptions): void {
  const { paragraph, run, isCode = false } = options.styler.of(block, tag);
  const content = isCode ? block.content.map(withoutCode) : block.content;
  const runs = options.runs(indentedSpace(options.space, block));
  options.push(`<w:p>${paragraph.toXml()}${writeRuns(content, run, runs)}</w:p>`);
}

function withoutCode(inline: Inline): Inline {
  return inline.kind === 'text' ? { ...inline, format: { ...inline.format, isCode: false } } : inline;
}

function indentedSpace({ width, height }: Size, { list, quoteDepth }: ParagraphBlock): Size {
  const levels = quoteDepth + (list === undefined ? 0 : list.level + 1);
  return { width: Math.max(emuPer.px, width - levels * indentTwips * emuPer.twip), height };
}

/** Word's default margins of a cell, left and right. */
const cellMarginTwips = 2 * 108;

function cellSpace({ width, height }: Size, share: number): Size {
  return { width: Math.max(emuPer.px, width * share - cellMarginTwips * emuPer.twip), height };
}

function emptyParagraph({ paragraph }: BlockStyle): string {
  return `<w:p>${separatorProperties(paragraph).toXml()}</w:p>`;
}

interface TableWriter {
  /** The id of the style "Table Grid", if the template has it. */
  readonly styleId: string | undefined;
  push(xml: string): void;
  /**
   * Writes the blocks of a cell, ending with a paragraph, which Word requires. `share` is the cell's share of the
   * table's width.
   */
  writeCell(blocks: readonly Block[], share: number): void;
}

const gridTwips = 9000;
const fullPercent = 5000;
const sides = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'];
const borders = sides.map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`).join('');

/** A table as wide as the surrounding text, with equal columns, which Word adjusts to their content. */
function writeTable({ columns, direction, rows }: TableBlock, writer: TableWriter): void {
  const { styleId } = writer;
  const style = styleId === undefined ? '' : `<w:tblStyle w:val="${styleId}"/>`;
  const bidi = direction === 'rtl' ? '<w:bidiVisual/>' : '';
  const border = styleId === undefined ? `<w:tblBorders>${borders}</w:tblBorders>` : '';
  const tableFormat = `${style}${bidi}<w:tblW w:w="${fullPercent}" w:type="pct"/>${border}`;
  const grid = `<w:gridCol w:w="${Math.floor(gridTwips / columns)}"/>`.repeat(columns);
  writer.push(`<w:tbl><w:tblPr>${tableFormat}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>`);
  const firstBody = rows.findIndex((row) => !row.isHeader);
  for (const [i, row] of rows.entries()) {
    const isHeading = row.isHeader && (firstBody === -1 ? i === 0 : i < firstBody);
    writeRow(row, isHeading, columns, writer);
  }
  writer.push('</w:tbl>');
}

function writeRow({ cells }: TableRow, isHeading: boolean, columns: number, writer: TableWriter): void {
  writer.push(isHeading ? '<w:tr><w:trPr><w:tblHeader/></w:trPr>' : '<w:tr>');
  for (const cell of cells) {
    writer.push(`<w:tc>${cellProperties(cell, columns)}`);
    writer.writeCell(cell.blocks, cell.columns / columns);
    writer.push('</w:tc>');
  }
  writer.push('</w:tr>');
}

/** In the order of ECMA-376 part 1, 17.4.69. */
function cellProperties({ columns, merge, background }: HtmlTableCell, ofColumns: number): string {
  const width = `<w:tcW w:w="${Math.floor((fullPercent * columns) / ofColumns)}" w:type="pct"/>`;
  const across = columns > 1 ? `<w:gridSpan w:val="${columns}"/>` : '';
  const down = merge === 'none' ? '' : `<w:vMerge w:val="${merge === 'start' ? 'restart' : 'continue'}"/>`;
  const shade = background === undefined ? '' : shadeProperty(background);
  return `<w:tcPr>${width}${across}${down}${shade}</w:tcPr>`;
}
