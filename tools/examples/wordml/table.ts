import { twips } from './text.ts';

export type CellFormat = {
  readonly span?: number;
  readonly fill?: string;
  readonly vertical?: 'top' | 'center' | 'bottom';
  readonly borders?: Partial<Record<'top' | 'left' | 'bottom' | 'right', Line>>;
  readonly paddingMm?: Partial<Record<'top' | 'left' | 'bottom' | 'right', number>>;
};
export type Line = { readonly color: string; readonly widthPt: number } | 'none';
export type Cell = CellFormat & { readonly blocks: readonly string[] };
export type Row = {
  readonly cells: readonly Cell[];
  readonly isHeader?: boolean;
  readonly exactHeightMm?: number;
  readonly minHeightMm?: number;
};
export type TableFormat = {
  readonly style: string;
  readonly columnsMm: readonly number[];
  readonly rows: readonly Row[];
  readonly indentMm?: number;
  readonly align?: 'left' | 'center' | 'right';
  /** Description of the table for screen readers. */
  readonly summary?: string;
};

export const cell = (blocks: readonly string[] | string, format: CellFormat = {}): Cell => ({
  ...format,
  blocks: typeof blocks === 'string' ? [blocks] : blocks,
});

/** A table with fixed column widths; its rows never break across pages. */
export function table(format: TableFormat): string {
  const width = format.columnsMm.reduce((sum, columnMm) => sum + twips(columnMm), 0);
  const hasHeader = format.rows.some((row) => row.isHeader === true);
  const properties = [
    `<w:tblStyle w:val="${format.style}"/>`,
    `<w:tblW w:w="${width}" w:type="dxa"/>`,
    format.align === undefined ? '' : `<w:jc w:val="${format.align}"/>`,
    format.indentMm === undefined ? '' : `<w:tblInd w:w="${twips(format.indentMm)}" w:type="dxa"/>`,
    '<w:tblLayout w:type="fixed"/>',
    `<w:tblLook w:val="${hasHeader ? '0420' : '0400'}" w:firstRow="${hasHeader ? 1 : 0}" w:lastRow="0" `,
    'w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>',
    format.summary === undefined ? '' : `<w:tblCaption w:val="${format.summary}"/>`,
  ].join('');
  const grid = format.columnsMm.map((columnMm) => `<w:gridCol w:w="${twips(columnMm)}"/>`).join('');
  const rows = format.rows.map((row) => rowXml(row, format.columnsMm)).join('');
  return `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows}</w:tbl>`;
}

function rowXml(row: Row, columnsMm: readonly number[]): string {
  let column = 0;
  const cells = row.cells.map((item) => {
    const spanned = columnsMm.slice(column, column + (item.span ?? 1));
    column += item.span ?? 1;
    return cellXml(
      item,
      spanned.reduce((sum, columnMm) => sum + twips(columnMm), 0),
    );
  });
  const properties = [
    '<w:cantSplit/>',
    row.exactHeightMm === undefined ? '' : `<w:trHeight w:val="${twips(row.exactHeightMm)}" w:hRule="exact"/>`,
    row.minHeightMm === undefined ? '' : `<w:trHeight w:val="${twips(row.minHeightMm)}"/>`,
    row.isHeader === true ? '<w:tblHeader/>' : '',
  ].join('');
  return `<w:tr><w:trPr>${properties}</w:trPr>${cells.join('')}</w:tr>`;
}

function cellXml(item: Cell, width: number): string {
  const properties = [
    `<w:tcW w:w="${width}" w:type="dxa"/>`,
    item.span === undefined ? '' : `<w:gridSpan w:val="${item.span}"/>`,
    sides('w:tcBorders', item.borders, line),
    item.fill === undefined ? '' : `<w:shd w:val="clear" w:color="auto" w:fill="${item.fill}"/>`,
    sides('w:tcMar', item.paddingMm, (paddingMm) => `w:w="${twips(paddingMm)}" w:type="dxa"`),
    item.vertical === undefined ? '' : `<w:vAlign w:val="${item.vertical}"/>`,
  ].join('');
  return `<w:tc><w:tcPr>${properties}</w:tcPr>${item.blocks.join('')}</w:tc>`;
}

const line = (border: Line): string =>
  border === 'none'
    ? 'w:val="nil"'
    : `w:val="single" w:sz="${border.widthPt * 8}" w:space="0" w:color="${border.color}"`;

function sides<Value>(
  element: string,
  values: Partial<Record<'top' | 'left' | 'bottom' | 'right', Value>> | undefined,
  attributes: (value: Value) => string,
): string {
  if (values === undefined) return '';
  const children = (['top', 'left', 'bottom', 'right'] as const).flatMap((side) => {
    const value = values[side];
    return value === undefined ? [] : [`<w:${side} ${attributes(value)}/>`];
  });
  return `<${element}>${children.join('')}</${element}>`;
}
