import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';

/**
 * Documents with properties that direct layout once handled differently from LibreOffice, found in randomly changed
 * files.
 */

const addresses = [
  'https://example.com',
  'http://www.example.com?a=b#c',
  'HTTPS://Example.com/A',
  'https://example.com/a b/ü|[x]{y}%2f%41%zz',
  'https://example.com:8443/a;b?c=[d]&e=é#f#g',
  'ftp://example.com',
  'file:///C:/a b/c.pdf',
  'MAILTO:Ada <ada@example.com>?subject=a b&body=c%0Ad',
  'tel:+49 12',
];

export const documentOfLinks: DocxInput = {
  body: addresses
    .map((_, at) => word.paragraph(`<w:hyperlink r:id="rIdLink${at}">${word.run('link')}</w:hyperlink>`))
    .join(''),
  rels: addresses.map((target, at) => ({ id: `rIdLink${at}`, type: 'hyperlink', target, external: true })),
};

const highlight = (name: string): string => `<w:highlight w:val="${name}"/>`;
const dark = word.shaded('111111');
const formats = [
  ...['black', 'blue', 'darkBlue', 'darkGray', 'green', 'lightGray', 'red', 'yellow'].map(highlight),
  dark,
  dark + highlight('yellow'),
  dark + highlight('none'),
  word.shaded('FFFF00') + highlight('black'),
];
const marked = formats.map((format) => word.run('word ', format) + word.run('plain '));
/** Each paragraph fits on one line. */
const paragraphs = (properties = ''): string =>
  [marked.slice(0, 6), marked.slice(6)].map((runs) => word.paragraph(runs.join(''), properties)).join('');

export const documentOfHighlights: DocxInput = {
  body:
    paragraphs() +
    paragraphs(dark) +
    word.table([9000], [word.row([word.cell(9000, paragraphs(), dark)])]) +
    word.paragraph('end'),
};

const area = (type: string, run: string, fill: string): string =>
  `<w:tblStylePr w:type="${type}"><w:rPr>${run}</w:rPr><w:tcPr>${word.shaded(fill)}</w:tcPr></w:tblStylePr>`;
const styles = word.styles(
  { run: word.font('Carlito') + word.size(20), paragraph: word.aligned('right') },
  word.normal(word.aligned('left'), word.size(22)),
  word.style('Own', { basedOn: 'Normal', run: word.size(24) }),
  word.style('Areas', {
    type: 'table',
    paragraph: word.aligned('center'),
    more: area('firstRow', '<w:b/><w:sz w:val="32"/>', 'DDEEFF') + area('band1Horz', '<w:i/>', 'FFEEDD'),
  }),
  word.style('Plain', { type: 'table' }),
);
const rowsOf = (...properties: readonly string[]): string[] =>
  properties.map((one) =>
    word.row([word.cell(3000, 'normal'), word.cell(3000, word.paragraph('own', '<w:pStyle w:val="Own"/>'))], one),
  );
const tableOf = (rows: readonly string[], properties: string): string =>
  word.table([3000, 3000], rows, `${properties}${word.width(6000)}`) + word.paragraph('below');
const heading = '<w:tblHeader/>';
const inAreas = '<w:tblStyle w:val="Areas"/>';

export const documentOfTableStyles: DocxInput = word.document(
  [
    tableOf(rowsOf(heading, heading, '', ''), `${inAreas}<w:tblLook w:val="04A0"/>`),
    tableOf(rowsOf(heading, heading, '', ''), `${inAreas}<w:tblLook w:val="0400"/>`),
    tableOf(rowsOf(heading, heading, heading), inAreas),
    tableOf(rowsOf('', '', ''), `${inAreas}<w:tblLook w:firstRow="0" w:noHBand="1"/>`),
    tableOf(rowsOf('', ''), '<w:tblStyle w:val="Plain"/>'),
    tableOf(rowsOf('', ''), ''),
  ].join(''),
  { styles, settings: word.compatibility(15) },
);
