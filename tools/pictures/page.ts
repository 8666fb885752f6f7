import {
  BorderStyle,
  CheckBox,
  Document,
  type IRunOptions,
  Packer,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  VerticalMergeType,
  WidthType,
} from 'docx';

const millimetre = 56.7;
const widthMm = 90;
const marginMm = 5;
const frame = { style: BorderStyle.SINGLE, size: 4, color: 'B0B7C3', space: 4 };

export type Block = Paragraph | Table;

/** A small framed page with the given blocks, as a .docx. */
export async function page(heightMm: number, blocks: readonly Block[]): Promise<Buffer> {
  const margin = {
    top: marginMm * millimetre,
    bottom: 2 * millimetre,
    left: marginMm * millimetre,
    right: marginMm * millimetre,
  };
  const document = new Document({
    styles: { default: { document: { run: { font: 'Carlito', size: 22 } } } },
    sections: [
      {
        properties: {
          page: {
            size: { width: widthMm * millimetre, height: heightMm * millimetre },
            margin: { ...margin, header: 0, footer: 0 },
            borders: { pageBorderTop: frame, pageBorderBottom: frame, pageBorderLeft: frame, pageBorderRight: frame },
          },
        },
        children: [...blocks],
      },
    ],
  });
  return Packer.toBuffer(document);
}

/** A paragraph; text between double asterisks is bold. */
export function line(text: string, format: IRunOptions = {}): Paragraph {
  const runs = text.split('**').map((piece, i) => new TextRun({ ...format, text: piece, bold: i % 2 === 1 }));
  return new Paragraph({ children: runs, spacing: { after: 40 } });
}

/** A paragraph with a checkbox control of this title between two texts. */
export function checkbox(before: string, title: string, after: string): Paragraph {
  const children = [new TextRun(before), new CheckBox({ alias: title, checked: false }), new TextRun(after)];
  return new Paragraph({ children, spacing: { after: 40 } });
}

/** A table of texts; the first row is the header, and `^` merges with the cell above. */
export function grid(rows: readonly (readonly string[])[]): Table {
  const [head = []] = rows;
  const columnWidth = Math.floor(((widthMm - 2 * marginMm) * millimetre) / head.length);
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    columnWidths: head.map(() => columnWidth),
    rows: rows.map(
      (cells, row) =>
        new TableRow({
          children: cells.map(
            (text, column) =>
              new TableCell({
                children: [line(row === 0 ? `**${text}**` : text.replace(/^\^/, ''))],
                ...mergeOf(text, rows[row + 1]?.[column]),
                margins: { top: 20, bottom: 0, left: 60, right: 60 },
                ...(row === 0 && { shading: { type: ShadingType.CLEAR, color: 'auto', fill: 'E8EDF5' } }),
              }),
          ),
        }),
    ),
  });
}

function mergeOf(
  text: string,
  below = '',
): { verticalMerge?: (typeof VerticalMergeType)[keyof typeof VerticalMergeType] } {
  if (text.startsWith('^')) return { verticalMerge: VerticalMergeType.CONTINUE };
  return below.startsWith('^') ? { verticalMerge: VerticalMergeType.RESTART } : {};
}
