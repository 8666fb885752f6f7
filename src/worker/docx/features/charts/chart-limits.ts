/** Limits of charts; published in docs/reference/template-language.md. */
export const chartLimits = {
  /** Packed size of the workbook of a chart. */
  workbookBytes: 5 * 1024 * 1024,
  /** Unpacked size of all parts of a workbook, and of each one. */
  workbookInflatedBytes: 20 * 1024 * 1024,
  workbookEntries: 500,
  /** Unpacked size of all workbooks of a template. */
  templateInflatedBytes: 100 * 1024 * 1024,
  /** Cells of a worksheet that a chart shows. */
  sheetCells: 50_000,
  /** Rows of a filled worksheet. */
  sheetRows: 10_000,
  /** Charts with tags in one document. */
  placed: 200,
  /** The filled workbooks of one document, packed. */
  totalWorkbookBytes: 32 * 1024 * 1024,
} as const;
