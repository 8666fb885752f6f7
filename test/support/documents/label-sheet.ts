import { paragraph } from './docx-builder.ts';

export interface LabelGrid {
  /** Widths of the columns and exact heights of the rows, in twentieths of a point. */
  readonly columns: readonly number[];
  readonly rows: readonly number[];
  /** Additional properties of the table, such as `<w:bidiVisual/>`. */
  readonly properties?: string;
}

/**
 * A table that is a sheet of labels, with `label` in its first cell. `others` holds other cells by `row/column`, from
 * 0.
 */
export function labelSheet(
  { columns, rows, properties = '' }: LabelGrid,
  label: string,
  others: Readonly<Record<string, string>> = {},
): string {
  const inCell = (text: string) => (text.startsWith('<') ? text : paragraph(text));
  const cell = (width: number, content: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${inCell(content)}</w:tc>`;
  const row = (height: number, at: number) => {
    const cells = columns.map((width, column) => {
      return cell(width, at + column === 0 ? label : (others[`${at}/${column}`] ?? ''));
    });
    return `<w:tr><w:trPr><w:cantSplit/><w:trHeight w:val="${height}" w:hRule="exact"/></w:trPr>${cells.join('')}</w:tr>`;
  };
  const grid = columns.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
  return `<w:tbl><w:tblPr>${properties}<w:tblW w:w="0" w:type="auto"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.map(row).join('')}</w:tbl>`;
}
