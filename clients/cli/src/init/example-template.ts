import { strToU8, zipSync } from 'fflate';

const mainNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
const officeRelationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/**
 * An invoice as a Word template: values, formats, a table with a row for each item, and a condition. The bytes are
 * reproducible.
 */
export function createExampleTemplate(): Uint8Array {
  const parts = { '[Content_Types].xml': contentTypes, '_rels/.rels': packageRelationships, ...wordParts };
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(`${declaration}${xml}`)] as const);
  // Zip timestamps are local times.
  return zipSync(Object.fromEntries(files), { mtime: new Date(2026, 0, 1) });
}

const exampleData = {
  number: '2026-0042',
  customer: { name: 'Ada Lovelace', city: 'London' },
  items: [
    { name: 'Oak table', quantity: 1, price: 1250.5 },
    { name: 'Chair', quantity: 4, price: 320 },
  ],
  total: 2530.5,
  due: '2026-04-15',
  isPaid: false,
};

/** Example data for the template, as JSON text. */
export const exampleDataText = `${JSON.stringify(exampleData, null, 2)}\n`;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const contentTypes = `<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${wordType}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${wordType}.styles+xml"/></Types>`;
const packageRelationships = relationships('officeDocument', 'word/document.xml');

const wordParts = {
  'word/document.xml': `<w:document xmlns:w="${mainNamespace}"><w:body>${[
    paragraph('Invoice {number}', 'Title'),
    paragraph('{customer.name}, {customer.city}'),
    table([
      ['Item', 'Quantity', 'Price'],
      ['{#items}{name}', '{quantity}', '{price | number:2}{/items}'],
    ]),
    paragraph('Total: {total | number:2}', 'Strong'),
    paragraph('{#isPaid}Paid. Thank you!{/isPaid}{^isPaid}Please pay before {due | date:"long"}.{/isPaid}'),
  ].join(
    '',
  )}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`,
  'word/_rels/document.xml.rels': relationships('styles', 'styles.xml'),
  'word/styles.xml': `<w:styles xmlns:w="${mainNamespace}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160"/></w:pPr></w:pPrDefault></w:docDefaults>${[
    style('Normal', 'Normal', ''),
    style('Title', 'Title', '<w:b/><w:sz w:val="40"/><w:szCs w:val="40"/>'),
    style('Strong', 'Total', '<w:b/>'),
  ].join('')}</w:styles>`,
};

function relationships(type: string, target: string): string {
  return `<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${officeRelationships}/${type}" Target="${target}"/></Relationships>`;
}

function style(id: string, name: string, runProperties: string): string {
  const isNormal = id === 'Normal';
  const basis = isNormal ? '' : '<w:basedOn w:val="Normal"/>';
  return `<w:style w:type="paragraph"${isNormal ? ' w:default="1"' : ''} w:styleId="${id}"><w:name w:val="${name}"/>${basis}<w:qFormat/><w:rPr>${runProperties}</w:rPr></w:style>`;
}

function paragraph(text: string, styleId = 'Normal'): string {
  return `<w:p><w:pPr><w:pStyle w:val="${styleId}"/></w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = [5026, 2000, 2000];
  const borders = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'];
  const lines = borders.map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="808080"/>`).join('');
  const cell = (text: string, column: number) =>
    `<w:tc><w:tcPr><w:tcW w:w="${widths[column]}" w:type="dxa"/></w:tcPr>${paragraph(text)}</w:tc>`;
  const row = (cells: readonly string[], index: number) =>
    `<w:tr>${index === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}${cells.map(cell).join('')}</w:tr>`;
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
  const properties = `<w:tblPr><w:tblW w:w="9026" w:type="dxa"/><w:tblBorders>${lines}</w:tblBorders></w:tblPr>`;
  return `<w:tbl>${properties}<w:tblGrid>${grid}</w:tblGrid>${rows.map(row).join('')}</w:tbl>${paragraph('')}`;
}
