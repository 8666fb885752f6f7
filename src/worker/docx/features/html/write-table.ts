import type { Block, TableBlock, TableCell, TableRow } from './blocks.ts';

export interface TableWriter {
  /** The id of the style "Table Grid", where the template has it. */
  readonly styleId: string | undefined;
  push(xml: string): void;
  /** Writes blocks that end with a paragraph, as a cell must. */
  writeCell(blocks: readonly Block[]): void;
}

const gridTwips = 9000;
const fullPercent = 5000;
const sides = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'];
const borders = sides.map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`).join('');

/** A table as wide as the text around it, its columns equally wide until a reader fits them to their content. */
export function writeTable({ columns, rows }: TableBlock, writer: TableWriter): void {
  const { styleId } = writer;
  const look =
    styleId === undefined
      ? `<w:tblW w:w="${fullPercent}" w:type="pct"/><w:tblBorders>${borders}</w:tblBorders>`
      : `<w:tblStyle w:val="${styleId}"/><w:tblW w:w="${fullPercent}" w:type="pct"/>`;
  const grid = `<w:gridCol w:w="${Math.floor(gridTwips / columns)}"/>`.repeat(columns);
  writer.push(`<w:tbl><w:tblPr>${look}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>`);
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
function cellProperties({ columns, merge, background }: TableCell, ofColumns: number): string {
  const width = `<w:tcW w:w="${Math.floor((fullPercent * columns) / ofColumns)}" w:type="pct"/>`;
  const across = columns > 1 ? `<w:gridSpan w:val="${columns}"/>` : '';
  const down = merge === 'none' ? '' : `<w:vMerge w:val="${merge === 'start' ? 'restart' : 'continue'}"/>`;
  const shade = background === undefined ? '' : `<w:shd w:val="clear" w:color="auto" w:fill="${background}"/>`;
  return `<w:tcPr>${width}${across}${down}${shade}</w:tcPr>`;
}
