export type Attributes = Readonly<Record<string, string>>;

/** A WordprocessingML element with its attributes and children. */
interface Property {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children?: readonly (readonly [name: string, attributes: Attributes])[];
}

export type Choices = readonly [Property, ...Property[]];

const val = (name: string, ...values: readonly string[]): Property[] =>
  values.map((value) => ({ name, attributes: { val: value } }));
const on = (...names: readonly string[]): Property[] => names.map((name) => ({ name, attributes: {} }));
const line = (side: string, size: string): readonly [string, Attributes] => [
  side,
  { val: 'single', sz: size, space: '1', color: '336699' },
];
const shd = (fill: string): Property => ({ name: 'shd', attributes: { val: 'clear', color: 'auto', fill } });

export const runProperties: Choices = [
  shd('D9E2F3'),
  shd('1F3864'),
  ...val('highlight', 'yellow', 'black', 'darkBlue', 'green', 'none'),
  ...val('u', 'single', 'double', 'none'),
  ...val('sz', '15', '18', '22', '23', '28', '40'),
  ...val('color', 'FF0000', 'auto', '808080'),
  ...val('spacing', '-5', '10', '40'),
  ...val('vertAlign', 'superscript', 'subscript'),
  ...val('kern', '0', '2', '28'),
  ...val('lang', 'de-DE', 'en-GB', 'fr-FR'),
  ...val('b', '0'),
  ...on('b', 'i', 'caps', 'noProof', 'vanish'),
];

export const paragraphProperties: Choices = [
  shd('FFF2CC'),
  shd('222222'),
  ...val('jc', 'left', 'center', 'right', 'both', 'start', 'end'),
  ...val('outlineLvl', '0', '2', '9'),
  ...val('widowControl', '0', '1'),
  ...val('contextualSpacing', '0', '1'),
  ...on('keepNext', 'keepLines', 'pageBreakBefore', 'contextualSpacing', 'suppressAutoHyphens'),
  { name: 'spacing', attributes: { before: '240', after: '0' } },
  { name: 'spacing', attributes: { before: '0', after: '137', line: '259', lineRule: 'auto' } },
  { name: 'spacing', attributes: { line: '360', lineRule: 'auto' } },
  { name: 'spacing', attributes: { line: '300', lineRule: 'exact' } },
  { name: 'spacing', attributes: { line: '400', lineRule: 'atLeast' } },
  { name: 'spacing', attributes: { beforeAutospacing: '1', afterAutospacing: '1' } },
  { name: 'ind', attributes: { left: '720' } },
  { name: 'ind', attributes: { left: '567', hanging: '283' } },
  { name: 'ind', attributes: { firstLine: '340', right: '1000' } },
  { name: 'ind', attributes: { left: '-200', right: '-300' } },
  { name: 'tabs', attributes: {}, children: [['tab', { val: 'right', pos: '8000', leader: 'dot' }]] },
  { name: 'tabs', attributes: {}, children: [['tab', { val: 'center', pos: '4000' }]] },
  { name: 'pBdr', attributes: {}, children: [line('bottom', '8')] },
  { name: 'pBdr', attributes: {}, children: ['top', 'left', 'bottom', 'right'].map((side) => line(side, '4')) },
];

export const cellProperties: Choices = [
  shd('E2EFD9'),
  shd('000000'),
  ...val('vAlign', 'top', 'center', 'bottom'),
  ...on('noWrap', 'hideMark'),
  { name: 'tcBorders', attributes: {}, children: [line('bottom', '12')] },
  { name: 'tcBorders', attributes: {}, children: [line('left', '4'), line('right', '24')] },
  { name: 'tcMar', attributes: {}, children: [['left', { w: '300', type: 'dxa' }]] },
  { name: 'tcMar', attributes: {}, children: [['top', { w: '120', type: 'dxa' }]] },
];

export const rowProperties: Choices = [
  { name: 'trHeight', attributes: { val: '600' } },
  { name: 'trHeight', attributes: { val: '300', hRule: 'exact' } },
  { name: 'trHeight', attributes: { val: '900', hRule: 'atLeast' } },
  ...on('tblHeader', 'cantSplit'),
  ...val('jc', 'center', 'right'),
];

export const tableProperties: Choices = [
  { name: 'tblInd', attributes: { w: '300', type: 'dxa' } },
  { name: 'tblInd', attributes: { w: '0', type: 'dxa' } },
  { name: 'tblLayout', attributes: { type: 'fixed' } },
  { name: 'tblW', attributes: { w: '5000', type: 'pct' } },
  { name: 'tblW', attributes: { w: '0', type: 'auto' } },
  { name: 'tblLook', attributes: { val: '04A0' } },
  { name: 'tblLook', attributes: { val: '01E0' } },
  { name: 'tblLook', attributes: { val: '0660' } },
  { name: 'tblBorders', attributes: {}, children: ['top', 'bottom', 'insideH'].map((side) => line(side, '6')) },
  { name: 'tblCellMar', attributes: {}, children: [['left', { w: '57', type: 'dxa' }]] },
  ...val('jc', 'left', 'center', 'right'),
];

/** Installed fonts, fonts with substitutes, fonts without a substitution rule, and unusual spellings of names. */
export const fonts: readonly [string, ...string[]] = [
  'Calibri',
  ...'Arial,Times New Roman,Courier New,Cambria,Georgia,Verdana,Tahoma,Segoe UI,Aptos,Garamond,Consolas'.split(','),
  ...'Wide Latin,Vladimir Script,Comic Sans MS,Arial Narrow,Arial Black,Century Gothic,Book Antiqua'.split(','),
  ...'Symbol,Wingdings,Liberation Serif,DejaVu Sans,Carlito,Unknown Sans,Brand Grotesk,Nowhere'.split(','),
  ...['ARIAL', 'arial', ' Arial', 'Helvetica Neue;Arial;sans-serif', 'Times', 'Calibri (Body)', 'Calibri Light'],
  ...['Arial,Bold', 'Arial Bold', 'Roboto Light', 'Open Sans', 'MS Mincho', 'Cambria Math', 'sans-serif', 'monospace'],
];

export const addresses: readonly [string, ...string[]] = [
  'https://example.com',
  ...['http://www.example.com/a', 'HTTPS://Example.com/A?b=ü#c d', 'https://example.com?a=[1]', 'ftp://example.com/a'],
  ...['https://example.com/a%20b%2fc', 'mailto:ada@example.com', 'mailto:ada@example.com?subject=A b', 'tel:+49 12'],
  ...['www.example.com', 'report.docx', '../a/report.docx', 'file:///C:/a b.pdf', 'https://exämple.com/', '#top'],
];

/** Attributes that hold lengths, and the elements in which they may be changed. */
export const lengths: readonly string[] = 'w h left right top bottom before after line firstLine hanging val pos sz'
  .concat(' header footer space gutter')
  .split(' ');
export const lengthOwners: ReadonlySet<string> = new Set(
  'spacing ind pgSz pgMar tab sz trHeight tblInd tcW left right top bottom tblW insideH insideV defaultTabStop'.split(
    ' ',
  ),
);
