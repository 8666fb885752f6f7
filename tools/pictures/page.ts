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
import PizZip from 'pizzip';
import { type Chart, chartFiles } from '../../test/support/documents/chart-files.ts';

const millimetre = 56.7;
const widthMm = 90;
const marginMm = 5;
const frame = { style: BorderStyle.SINGLE, size: 4, color: 'B0B7C3', space: 4 };

export type Block = Paragraph | Table;

/** A small framed page with the given blocks and a chart below them, as a .docx. */
export async function page(heightMm: number, blocks: readonly Block[], chart?: Chart): Promise<Buffer> {
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
  const file = await Packer.toBuffer(document);
  return chart === undefined ? file : withChart(file, chart);
}

/** The content of a small page. */
export interface PageContent {
  readonly heightMm: number;
  readonly template: readonly Block[];
  /** Shown below the blocks. */
  readonly chart?: Chart;
  /** Included templates, by name. */
  readonly included?: Readonly<Record<string, readonly Block[]>>;
}

/** A page's .docx, and one for each template that it includes. */
export async function pageFiles({ heightMm, template, chart, included = {} }: PageContent) {
  const includes = new Map<string, Buffer>();
  for (const [name, blocks] of Object.entries(included)) includes.set(name, await page(heightMm, blocks));
  return { template: await page(heightMm, template, chart), includes };
}

function withChart(file: Buffer, chart: Chart): Buffer {
  const { parts, contentTypes, relationship, run } = chartFiles(chart);
  const zip = new PizZip(file);
  const edit = (name: string, before: string, added: string) => {
    const xml = zip.file(name)?.asText() ?? '';
    const at = xml.lastIndexOf(before);
    zip.file(name, xml.slice(0, at) + added + xml.slice(at));
  };
  for (const [name, content] of Object.entries(parts)) zip.file(name, content);
  for (const [part, type] of Object.entries(contentTypes))
    edit('[Content_Types].xml', '</Types>', `<Override PartName="/${part}" ContentType="${type}"/>`);
  const { id, type, target } = relationship;
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const added = `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  edit('word/_rels/document.xml.rels', '</Relationships>', added);
  edit('word/document.xml', '<w:sectPr', `<w:p>${run}</w:p>`);
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** A paragraph. Text between double asterisks is bold. */
export function line(text: string, format: IRunOptions = {}): Paragraph {
  const runs = text.split('**').map((piece, i) => new TextRun({ ...format, text: piece, bold: i % 2 === 1 }));
  return new Paragraph({ children: runs, spacing: { after: 40 } });
}

/** A paragraph with a checkbox control that has this title, between two strings. */
export function checkbox(before: string, title: string, after: string): Paragraph {
  const children = [new TextRun(before), new CheckBox({ alias: title, checked: false }), new TextRun(after)];
  return new Paragraph({ children, spacing: { after: 40 } });
}

/** A table of strings. The first row is the header, and `^` merges a cell with the one above. */
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
