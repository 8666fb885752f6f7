import { PNG } from 'pngjs';
import { docxParts, paragraph, table } from '../../support/documents/docx-builder.ts';

/** A case of a template project, which a test may change. */
export interface SampleCase {
  /** The files in the .docx. */
  readonly parts: Map<string, string | Uint8Array>;
  /** JSON text. */
  data: string;
  /** The `output` of the rules. */
  output: Record<string, unknown>;
  compression: 'deflate' | 'store';
}

export interface SampleData {
  customer: { name: string; city: string };
  items: { name: string; price: number }[];
  total: number;
  due: string;
  vip: boolean;
}

const prices = { 'Oak table': 1250.5, Chair: 320, Lamp: 89.9 };
const data: SampleData = {
  customer: { name: 'Ada Lovelace', city: 'London' },
  items: Object.entries(prices).map(([name, price]) => ({ name, price })),
  ...{ total: 1660.4, due: '2026-04-15', vip: true },
};

/** A picture of one colour. */
export function plainPicture(red: number, green: number, blue: number): Buffer {
  const png = new PNG({ width: 60, height: 30 });
  for (let index = 0; index < png.data.length; index += 4) png.data.set([red, green, blue, 255], index);
  return PNG.sync.write(png);
}

const drawing = `<w:p><w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="1143000" cy="571500"/>
<wp:docPr id="1" name="Logo"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>
<pic:nvPicPr><pic:cNvPr id="1" name="Logo"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rIdLogo"/><a:stretch>
<a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1143000" cy="571500"/></a:xfrm>
<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

const styled = (properties: string, text: string, paragraphProperties = ''): string =>
  `<w:p><w:pPr>${paragraphProperties}</w:pPr><w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

const borders = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="8" w:space="0" w:color="404040"/>`)
  .join('');

/** A letter with a picture, a table of items, a total to the right, a section, a header and a footer. */
export function sampleCase(): SampleCase {
  const width = '<w:tblW w:w="0" w:type="auto"/>';
  const rows = table([
    ['Item', 'Price'],
    ['{#items}{name}', '{price | number:2}{/items}'],
  ]).replace(width, `${width}<w:tblBorders>${borders}</w:tblBorders>`);
  const title = '<w:rFonts w:ascii="Carlito" w:hAnsi="Carlito"/><w:b/><w:color w:val="1F4E79"/><w:sz w:val="40"/>';
  const body = [
    drawing,
    styled(title, 'Invoice'),
    paragraph('Dear {customer.name} of {customer.city},'),
    rows,
    styled('<w:b/>', 'Total {total | number:2}', '<w:jc w:val="right"/>'),
    paragraph('Due {due | date:"long"}.'),
    paragraph('{#vip}Thank you for many years.{/vip}'),
    paragraph('Kind regards'),
  ].join('');
  const parts = docxParts({
    body,
    headers: [paragraph('Oak and Sons, 27 Wexford Street')],
    rels: [{ id: 'rIdLogo', type: 'image', target: 'media/logo.png' }],
    parts: { 'word/media/logo.png': plainPicture(200, 30, 40) },
  });
  return { parts, data: JSON.stringify(data), output: {}, compression: 'deflate' };
}

/** Replaces text in a part. Throws if the part does not contain it, because nothing would change. */
export function edit({ parts }: SampleCase, from: string | RegExp, to: string, part = 'word/document.xml'): void {
  const before = String(parts.get(part));
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${part} has no ${from}`);
  parts.set(part, after);
}

export function editData(sample: SampleCase, change: (data: SampleData) => void): void {
  const value = JSON.parse(sample.data) as SampleData;
  change(value);
  sample.data = JSON.stringify(value);
}

/** Adds a part to which the main part refers, such as `comments`, with this XML in its element. */
export function addPart(sample: SampleCase, name: string, element: string, content: string): void {
  const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  sample.parts.set(`word/${name}.xml`, `<w:${element} xmlns:w="${namespace}">${content}</w:${element}>`);
  const type = `application/vnd.openxmlformats-officedocument.wordprocessingml.${name}+xml`;
  const override = `<Override PartName="/word/${name}.xml" ContentType="${type}"/></Types>`;
  edit(sample, '</Types>', override, '[Content_Types].xml');
  const uri = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}`;
  const relationship = `<Relationship Id="rIdNew${name}" Type="${uri}" Target="${name}.xml"/></Relationships>`;
  edit(sample, '</Relationships>', relationship, 'word/_rels/document.xml.rels');
}
