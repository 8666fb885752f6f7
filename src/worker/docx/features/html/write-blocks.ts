import { separatorProperties, shadeProperty } from '../../core/styles/property-list.ts';
import type { Block, HtmlTableCell, ParagraphBlock, TableBlock, TableRow } from './blocks.ts';
import type { BlockStyle, ParagraphStyler } from './paragraph-styler.ts';
import { type LinkWriter, writeRuns } from './write-runs.ts';

interface BlockOptions {
  readonly styler: ParagraphStyler;
  readonly links: LinkWriter;
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
        writeCell: (inner) => writeCell(inner, tag.inCell, options),
      });
    }
  }
}

function writeCell(blocks: readonly Block[], tag: BlockStyle, options: BlockOptions): void {
  writeSequence(blocks, { first: tag, later: tag, inCell: tag }, options);
  if (blocks.at(-1)?.kind !== 'paragraph') options.push(emptyParagraph(tag));
}

function writeParagraph(block: ParagraphBlock, tag: BlockStyle, { styler, links, push }: BlockOptions): void {
  const { paragraph, run } = styler.of(block, tag);
  push(`<w:p>${paragraph.toXml()}${writeRuns(block.content, run, links)}</w:p>`);
}

function emptyParagraph({ paragraph }: BlockStyle): string {
  return `<w:p>${separatorProperties(paragraph).toXml()}</w:p>`;
}

interface TableWriter {
  /** The id of the style "Table Grid", if the template has it. */
  readonly styleId: string | undefined;
  push(xml: string): void;
  /** Writes blocks that end with a paragraph, as a cell must. */
  writeCell(blocks: readonly Block[]): void;
}

const gridTwips = 9000;
const fullPercent = 5000;
const sides = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'];
const borders = sides.map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`).join('');

/** A table as wide as the surrounding text, with equal columns, which Word adjusts to their content. */
function writeTable({ columns, rows }: TableBlock, writer: TableWriter): void {
  const { styleId } = writer;
  const tableFormat =
    styleId === undefined
      ? `<w:tblW w:w="${fullPercent}" w:type="pct"/><w:tblBorders>${borders}</w:tblBorders>`
      : `<w:tblStyle w:val="${styleId}"/><w:tblW w:w="${fullPercent}" w:type="pct"/>`;
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
    writer.writeCell(cell.blocks);
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
