import { palette } from '../palette.ts';

type TableStyle = {
  readonly id: string;
  readonly name: string;
  readonly borders?: string;
  readonly fill?: string;
  readonly paddingMm: readonly [topAndBottom: number, leftAndRight: number];
  readonly firstRow?: string;
};

const edge = (side: string, widthEighths: number, color: string): string =>
  `<w:${side} w:val="single" w:sz="${widthEighths}" w:space="0" w:color="${color}"/>`;

const tableStyles: readonly TableStyle[] = [
  { id: 'LindenLayout', name: 'Linden Layout', paddingMm: [0, 0] },
  {
    id: 'LindenTable',
    name: 'Linden Table',
    borders: edge('bottom', 8, palette.green) + edge('insideH', 4, palette.line),
    paddingMm: [1.3, 2],
    firstRow:
      `<w:tcBorders>${edge('top', 8, palette.green)}${edge('bottom', 8, palette.green)}</w:tcBorders>` +
      `<w:shd w:val="clear" w:color="auto" w:fill="${palette.mist}"/>`,
  },
  { id: 'LindenTotals', name: 'Linden Totals', borders: edge('insideH', 4, palette.line), paddingMm: [1.1, 2] },
  {
    id: 'LindenBox',
    name: 'Linden Box',
    borders: edge('left', 24, palette.green),
    fill: palette.mist,
    paddingMm: [2, 4],
  },
];

export const tableStylesXml = (): string =>
  [
    '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/>',
    '<w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/>',
    '<w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/>',
    '<w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>',
    ...tableStyles.map(tableStyleXml),
  ].join('');

function tableStyleXml(style: TableStyle): string {
  const [vertical, horizontal] = style.paddingMm.map((mm) => Math.round((mm * 1440) / 25.4));
  const padding = (side: string, width: number | undefined) => `<w:${side} w:w="${width ?? 0}" w:type="dxa"/>`;
  const shading = style.fill === undefined ? '' : `<w:shd w:val="clear" w:color="auto" w:fill="${style.fill}"/>`;
  return [
    `<w:style w:type="table" w:customStyle="1" w:styleId="${style.id}"><w:name w:val="${style.name}"/>`,
    '<w:basedOn w:val="TableNormal"/><w:uiPriority w:val="40"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/>',
    style.borders === undefined ? '' : `<w:tblBorders>${style.borders}</w:tblBorders>`,
    `<w:tblCellMar>${padding('top', vertical)}${padding('left', horizontal)}`,
    `${padding('bottom', vertical)}${padding('right', horizontal)}</w:tblCellMar></w:tblPr>`,
    shading === '' ? '' : `<w:tcPr>${shading}</w:tcPr>`,
    style.firstRow === undefined
      ? ''
      : `<w:tblStylePr w:type="firstRow"><w:tcPr>${style.firstRow}</w:tcPr></w:tblStylePr>`,
    '</w:style>',
  ].join('');
}
