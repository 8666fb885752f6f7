import {
  AlignmentType,
  Bookmark,
  CheckBox,
  CommentRangeEnd,
  CommentRangeStart,
  CommentReference,
  Document,
  EndnoteReferenceRun,
  ExternalHyperlink,
  Footer,
  FootnoteReferenceRun,
  Math as Formula,
  Header,
  ImageRun,
  InternalHyperlink,
  MathRun,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableOfContents,
  TableRow,
  Textbox,
  TextRun,
} from 'docx';
import PizZip from 'pizzip';
import { describe, expect, it } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { validatePackage } from '../../../../src/worker/docx/package/validate-package.ts';
import { writePackage } from '../../../../src/worker/docx/package/write-package.ts';
import { sanitizePackage } from '../../../../src/worker/docx/sanitize/sanitize-package.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';
import { png, svg } from '../pictures/samples.ts';
import { inspect, render } from '../render/fill.ts';

function rich(): Document {
  const transformation = { width: 20, height: 20 };
  const data = png({ width: 1, height: 1 });
  const lineOf = (...children: readonly ParagraphChild[]) => new Paragraph({ children });
  return new Document({
    title: 'All sorts',
    footnotes: { 1: { children: [new Paragraph('A footnote {note}')] } },
    endnotes: { 1: { children: [new Paragraph('An endnote {note}')] } },
    comments: { children: [{ id: 0, author: 'A', date: new Date(0), children: [new Paragraph('Comment')] }] },
    sections: [
      {
        headers: { default: new Header({ children: [lineOf(new ImageRun({ type: 'png', data, transformation }))] }) },
        footers: {
          default: new Footer({ children: [lineOf(new TextRun({ children: ['Page ', PageNumber.CURRENT] }))] }),
        },
        children: [
          new TableOfContents('Contents', { hyperlink: true, headingStyleRange: '1-3' }),
          new Paragraph({
            alignment: AlignmentType.CENTER,
            children: [new Bookmark({ id: 'top', children: [new TextRun('Dear {name}')] })],
          }),
          lineOf(
            new ExternalHyperlink({ link: 'https://example.com', children: [new TextRun('web')] }),
            new InternalHyperlink({ anchor: 'top', children: [new TextRun('top')] }),
          ),
          lineOf(
            new ImageRun({ type: 'svg', data: Buffer.from(svg()), transformation, fallback: { type: 'png', data } }),
          ),
          lineOf(new CommentRangeStart(0), new TextRun('seen'), new CommentRangeEnd(0), new CommentReference(0)),
          lineOf(new FootnoteReferenceRun(1), new EndnoteReferenceRun(1)),
          lineOf(new CheckBox({ checked: true }), new Formula({ children: [new MathRun('x=1')] })),
          new Textbox({ style: { width: '100pt', height: '20pt' }, children: [new Paragraph('In a box')] }),
          new Table({ rows: [new TableRow({ children: [new TableCell({ children: [new Paragraph('{cell}')] })] })] }),
        ],
      },
    ],
  });
}

describe('a feature-rich document that another program wrote', () => {
  it('is accepted, needs no cleaning, and stays byte-identical', async () => {
    const source = openPackage(await Packer.toBuffer(rich()));
    validatePackage(source);
    expect(sanitizePackage(source)).toEqual({ changes: new Map(), warnings: [] });
    const written = openPackage(writePackage(source, new Map()));
    for (const name of source.partNames) expect(written.read(name)).toEqual(source.read(name));
  });

  it('can be read by another zip reader after it was written', async () => {
    const source = openPackage(await Packer.toBuffer(rich()));
    const text = source.readText(source.mainPart)?.replace('Dear', 'Liebe') ?? '';
    const zip = new PizZip(writePackage(source, new Map([[source.mainPart, Buffer.from(text)]])));
    expect(zip.file('word/document.xml')?.asText()).toContain('Liebe {name}');
    expect(Object.keys(zip.files).sort()).toEqual([...source.partNames].sort());
  });
});

describe('files that Word opens', () => {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
  const custom = 'docProps/custom.xml';
  const chunk = {
    body: `${paragraph('{name}')}<w:altChunk r:id="rIdChunk"/>`,
    rels: [{ id: 'rIdChunk', type: 'aFChunk', target: 'chunk.docx' }],
    parts: { 'word/chunk.docx': buildDocx({ body: paragraph('{inner}') }) },
  };
  const undeclared =
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"><property pid="2" name="x"><vt:lpwstr>1</vt:lpwstr></property></Properties>';
  const long = `word/media/${'漢'.repeat(250)}.png`;
  const files: readonly (readonly [string, DocxInput])[] = [
    ['a document to import, as a document', { ...chunk, contentTypes: { docx: `${word}.document` } }],
    ['one to import, by extension a main part', { ...chunk, contentTypes: { docx: `${word}.document.main+xml` } }],
    ['one, listed as a main part', { ...chunk, contentTypes: { 'word/chunk.docx': `${word}.document.main+xml` } }],
    [
      'custom properties with an undeclared prefix',
      {
        body: paragraph('{name}'),
        parts: { [custom]: undeclared },
        contentTypes: { [custom]: 'application/vnd.openxmlformats-officedocument.custom-properties+xml' },
      },
    ],
    ['a very long name', { body: paragraph('{name}'), parts: { [long]: png({ width: 1, height: 1 }) } }],
  ];
  it.each(files)('are templates: %s', (_title, input) => {
    expect(inspect(input).tags).toEqual(['name']);
    for (const target of ['docx', 'pdf'] as const)
      expect(render(input, { name: 'Ada' }, { target }).text).toContain('Ada');
  });
});
