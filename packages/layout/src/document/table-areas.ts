import type { Border, ParagraphFormat, RunFormat } from './tree.ts';

/** A missing side is inherited; null means no border. */
export type Borders = Readonly<Partial<Record<Side, Border | null>>>;
export type Side = 'top' | 'bottom' | 'left' | 'right' | 'insideH' | 'insideV';

export interface CellFormat {
  readonly borders: Borders;
  readonly shading: string | undefined;
}

/** What a table style sets for an area: its cells, and the paragraphs and runs in them. */
export interface AreaFormat extends CellFormat {
  readonly paragraph: Partial<ParagraphFormat>;
  readonly run: Partial<RunFormat>;
}

/**
 * Areas of a table that styles format separately (ECMA-376 part 1, 17.18.89), in ascending precedence. Contrary to
 * 17.7.6, bands of columns override bands of rows in LibreOffice.
 */
export const areaNames = [
  'band1Horz',
  'band2Horz',
  'band1Vert',
  'band2Vert',
  'lastCol',
  'firstCol',
  'lastRow',
  'firstRow',
] as const;
export type AreaName = (typeof areaNames)[number];

/** The position of a cell in its table. */
export interface CellPlace {
  readonly row: number;
  readonly rows: number;
  readonly cell: number;
  readonly cells: number;
  /** Whether the row is repeated on each page (17.4.78). */
  readonly isHeading: boolean;
}

/**
 * The areas that a cell belongs to, if `w:tblLook` (17.4.56) enables their formats. LibreOffice also formats every
 * further heading row as a first row, even if `w:tblLook` does not enable that, except the last row of the table.
 */
export function areasAt({ row, rows, cell, cells, isHeading }: CellPlace, look: number): readonly AreaName[] {
  const asks = (bit: number): boolean => (look & bit) !== 0;
  const firstRow = row === 0 ? asks(0x20) : isHeading && row < rows - 1;
  const lastRow = asks(0x40) && row === rows - 1 && row > 0;
  const firstCol = asks(0x80) && cell === 0;
  const lastCol = asks(0x100) && cell === cells - 1 && cell > 0;
  const isRowBanded = !asks(0x200) && !firstRow && !lastRow;
  const isColumnBanded = !asks(0x400) && !firstCol && !lastCol;
  const isOddRow = (row - (asks(0x20) ? 1 : 0)) % 2 === 0;
  const isOddColumn = (cell - (asks(0x80) ? 1 : 0)) % 2 === 0;
  const found: Readonly<Record<AreaName, boolean>> = {
    band1Vert: isColumnBanded && isOddColumn,
    band2Vert: isColumnBanded && !isOddColumn,
    band1Horz: isRowBanded && isOddRow,
    band2Horz: isRowBanded && !isOddRow,
    lastCol,
    firstCol,
    lastRow,
    firstRow,
  };
  return areaNames.filter((name) => found[name]);
}

export const plainCell: CellFormat = { borders: {}, shading: undefined };

/** Merges the formats of a cell; `over` takes precedence. */
export function mergeCell(under: CellFormat, over: CellFormat): CellFormat {
  if (over === plainCell) return under;
  return { borders: { ...under.borders, ...over.borders }, shading: over.shading ?? under.shading };
}

export function mergeArea(under: AreaFormat, over: AreaFormat): AreaFormat {
  return {
    ...mergeCell(under, over),
    paragraph: { ...under.paragraph, ...over.paragraph },
    run: { ...under.run, ...over.run },
  };
}
