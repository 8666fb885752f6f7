import { type Cells, cellName, chartWorkbook } from './chart-workbook.ts';
import { escapeXml, xmlHead } from './docx-builder.ts';

export type ChartKind =
  | 'bar'
  | 'stacked'
  | 'line'
  | 'area'
  | 'pie'
  | 'doughnut'
  | 'scatter'
  | 'bubble'
  | 'radar'
  | 'combination';

export interface Chart {
  readonly kind: ChartKind;
  /** The first row holds the names of the series, the first column the categories or x values. */
  readonly cells: Cells;
  readonly title?: string;
  readonly axisTitle?: string;
  readonly widthMm?: number;
  readonly heightMm?: number;
}

export interface ChartFiles {
  /** By part name. */
  readonly parts: Readonly<Record<string, string | Buffer>>;
  /** By part name. */
  readonly contentTypes: Readonly<Record<string, string>>;
  readonly relationship: { readonly id: string; readonly type: 'chart'; readonly target: string };
  /** The run that displays it. */
  readonly run: string;
}

const chartNamespace = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const drawingNamespace = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const placeNamespace = 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const emuPerMm = 36_000;

/** A native chart as Word saves it: the chart with the values of its workbook, and the workbook. */
export function chartFiles(chart: Chart, number = 1): ChartFiles {
  const { widthMm = 120, heightMm = 70 } = chart;
  const workbook = `embeddings/Microsoft_Excel_Worksheet${number}.xlsx`;
  const id = `rIdChart${number}`;
  const size = `cx="${widthMm * emuPerMm}" cy="${heightMm * emuPerMm}"`;
  const relationship = `<Relationship Id="rId1" Type="${office}/package" Target="../${workbook}"/>`;
  return {
    parts: {
      [`word/charts/chart${number}.xml`]: chartXml(chart),
      [`word/charts/_rels/chart${number}.xml.rels`]: `${xmlHead}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationship}</Relationships>`,
      [`word/${workbook}`]: chartWorkbook(chart.cells),
    },
    contentTypes: {
      [`word/charts/chart${number}.xml`]: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
      [`word/${workbook}`]: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    },
    relationship: { id, type: 'chart', target: `charts/chart${number}.xml` },
    run:
      `<w:r><w:drawing><wp:inline xmlns:wp="${placeNamespace}" distT="0" distB="0" distL="0" distR="0"><wp:extent ${size}/>` +
      `<wp:docPr id="${number}" name="Chart ${number}"/><wp:cNvGraphicFramePr/><a:graphic xmlns:a="${drawingNamespace}">` +
      `<a:graphicData uri="${chartNamespace}"><c:chart xmlns:c="${chartNamespace}" xmlns:r="${office}" r:id="${id}"/>` +
      '</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>',
  };
}

function chartXml(chart: Chart): string {
  const { cells, title } = chart;
  const columns = (cells[0]?.length ?? 1) - 1;
  const titled =
    title === undefined ? '<c:autoTitleDeleted val="1"/>' : `${titleXml(title)}<c:autoTitleDeleted val="0"/>`;
  const legend =
    columns > 1 && chart.kind !== 'bubble' ? '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>' : '';
  const plot = `<c:plotArea><c:layout/>${plotXml(chart, columns)}</c:plotArea>${legend}`;
  const body = `<c:chart>${titled}${plot}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>`;
  const text = '<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="900"/></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>';
  const data = '<c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData>';
  return `${xmlHead}<c:chartSpace xmlns:c="${chartNamespace}" xmlns:a="${drawingNamespace}" xmlns:r="${office}">${body}${text}${data}</c:chartSpace>`;
}

const axisIds = '<c:axId val="111"/><c:axId val="222"/>';
const colours = '<c:varyColors val="0"/>';

function plotXml(chart: Chart, columns: number): string {
  const all = Array.from({ length: columns }, (_, i) => i + 1);
  const series = (chosen: readonly number[]) => chosen.map((column) => seriesXml(chart, column)).join('');
  const bars = (grouping: string, chosen: readonly number[]) =>
    `<c:barChart><c:barDir val="col"/><c:grouping val="${grouping}"/>${colours}${series(chosen)}<c:gapWidth val="60"/>` +
    `${grouping === 'stacked' ? '<c:overlap val="100"/>' : ''}${axisIds}</c:barChart>`;
  const lines = (chosen: readonly number[]) =>
    `<c:lineChart><c:grouping val="standard"/>${colours}${series(chosen)}<c:marker val="1"/>${axisIds}</c:lineChart>`;
  const axes = axesXml(chart);
  switch (chart.kind) {
    case 'bar':
      return bars('clustered', all) + axes;
    case 'stacked':
      return bars('stacked', all) + axes;
    case 'line':
      return lines(all) + axes;
    case 'area':
      return `<c:areaChart><c:grouping val="standard"/>${colours}${series(all)}${axisIds}</c:areaChart>${axes}`;
    case 'pie':
      return `<c:pieChart><c:varyColors val="1"/>${series(all)}<c:firstSliceAng val="0"/></c:pieChart>`;
    case 'doughnut':
      return `<c:doughnutChart><c:varyColors val="1"/>${series(all)}<c:firstSliceAng val="0"/><c:holeSize val="60"/></c:doughnutChart>`;
    case 'scatter':
      return `<c:scatterChart><c:scatterStyle val="lineMarker"/>${colours}${series(all)}${axisIds}</c:scatterChart>${axes}`;
    case 'bubble':
      return `<c:bubbleChart>${colours}${series([1])}${axisIds}</c:bubbleChart>${axes}`;
    case 'radar':
      return `<c:radarChart><c:radarStyle val="marker"/>${colours}${series(all)}${axisIds}</c:radarChart>${axes}`;
    case 'combination':
      return bars('clustered', all.slice(0, -1)) + lines(all.slice(-1)) + axes;
  }
}

function axesXml({ kind, axisTitle }: Chart): string {
  const hasNumbers = kind === 'scatter' || kind === 'bubble';
  const axis = (element: string, id: number, other: number, position: string, title: string) =>
    `<c:${element}><c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>` +
    `<c:axPos val="${position}"/>${title}<c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="out"/>` +
    `<c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="${other}"/><c:crosses val="autoZero"/></c:${element}>`;
  const title = axisTitle === undefined ? '' : titleXml(axisTitle);
  return axis(hasNumbers ? 'valAx' : 'catAx', 111, 222, 'b', '') + axis('valAx', 222, 111, 'l', title);
}

function titleXml(text: string): string {
  return `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr lang="en-US" sz="1200" b="1"/><a:t>${escapeXml(text)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`;
}

const palette = ['2F5D9B', 'E08A2C', '7A8699', '3D8F6B'];

function seriesXml({ kind, cells }: Chart, column: number): string {
  const index = column - 1;
  const hasNumbers = kind === 'scatter' || kind === 'bubble';
  const names = `<c:tx>${textReference(cells, column, 0, 0)}</c:tx>`;
  const fill = `<a:solidFill><a:srgbClr val="${palette[index % palette.length]}"/></a:solidFill>`;
  const isLine = kind === 'line' || kind === 'radar' || kind === 'combination';
  const look = `<c:spPr>${fill}${isLine ? `<a:ln w="28575">${fill}</a:ln>` : ''}</c:spPr>`;
  const last = cells.length - 1;
  const values = (element: string, of: number) => `<c:${element}>${numberReference(cells, of, 1, last)}</c:${element}>`;
  const isText = cells.slice(1).some((row) => typeof row[0] === 'string');
  const labels = isText ? textReference(cells, 0, 1, last) : numberReference(cells, 0, 1, last);
  const data = hasNumbers
    ? `<c:xVal>${labels}</c:xVal>${values('yVal', column)}${kind === 'bubble' ? values('bubbleSize', column + 1) : ''}`
    : `<c:cat>${labels}</c:cat>${values('val', column)}`;
  return `<c:ser><c:idx val="${index}"/><c:order val="${index}"/>${names}${look}${data}</c:ser>`;
}

function formula(column: number, from: number, to: number): string {
  const start = cellName(column, from).replace(/^([A-Z]+)/, '$$$1$$');
  const end = cellName(column, to).replace(/^([A-Z]+)/, '$$$1$$');
  return `<c:f>Sheet1!${from === to ? start : `${start}:${end}`}</c:f>`;
}

function points(
  cells: Cells,
  column: number,
  from: number,
  to: number,
  write: (value: string | number) => string,
): string {
  const values = cells.slice(from, to + 1).map((row) => row[column] ?? null);
  const items = values.map((value, i) => (value === null ? '' : `<c:pt idx="${i}"><c:v>${write(value)}</c:v></c:pt>`));
  return `<c:ptCount val="${values.length}"/>${items.join('')}`;
}

function textReference(cells: Cells, column: number, from: number, to: number): string {
  const cache = points(cells, column, from, to, (value) => escapeXml(String(value)));
  return `<c:strRef>${formula(column, from, to)}<c:strCache>${cache}</c:strCache></c:strRef>`;
}

// Word caches 0 for a cell that contains text.
function numberReference(cells: Cells, column: number, from: number, to: number): string {
  const cache = points(cells, column, from, to, (value) => (typeof value === 'number' ? String(value) : '0'));
  return `<c:numRef>${formula(column, from, to)}<c:numCache><c:formatCode>General</c:formatCode>${cache}</c:numCache></c:numRef>`;
}
