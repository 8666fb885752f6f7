import validate from '@ooxml-tools/validate';
import { describe, expect, it } from 'vitest';
import { Workbook } from '../../../../src/worker/docx/features/charts/workbook/workbook.ts';
import { type DocxPackage, openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { type Chart, type ChartKind, chartFiles } from '../../../support/documents/chart-files.ts';
import { buildDocx, type DocxInput, paragraph, run } from '../../../support/documents/docx-builder.ts';
import { ooxmlProblems, structureProblems } from '../../../support/documents/ooxml-check.ts';
import { detailsOf, errorOf, inspect, render, rows } from '../render/fill.ts';

/** The cells of a worksheet, one line per row, separated by semicolons. */
function sheet(...lines: readonly string[]): Chart['cells'] {
  const read = (cell: string) => (cell === '' ? null : /^\d+$/.test(cell) ? Number(cell) : cell);
  return rows(...lines).map((row, i) => row.map((cell, j) => (i + j === 0 ? ' ' : read(cell))));
}

const cells = sheet(';Sales {year};{other}', '{#months}{name};{sales};{costs}{/months}');
const data = {
  year: 2026,
  other: 'Costs',
  months: [
    { name: 'Jan', sales: 10, costs: '4.5' },
    { name: 'Feb', sales: 12.25, costs: null },
    { name: '=1+1', sales: 9, costs: 3 },
  ],
};

/** A template with charts; `before` and `after` are XML around the paragraph of the first one. */
function template(charts: Chart | readonly Chart[], around: { before?: string; after?: string } = {}): Buffer {
  const files = [charts].flat().map((chart, i) => chartFiles(chart, i + 1));
  const shown = files.map((file) => `<w:p>${file.run}</w:p>`).join('');
  const input: DocxInput = {
    body: `${around.before ?? ''}${shown}${around.after ?? ''}`,
    parts: Object.assign({}, ...files.map(({ parts }) => parts)),
    contentTypes: Object.assign({}, ...files.map(({ contentTypes }) => contentTypes)),
    rels: files.map(({ relationship }) => relationship),
  };
  return buildDocx(input);
}

function fillChart(chart: Chart, values: unknown = data): DocxPackage {
  return render(template(chart), values).docx;
}

/** A chart with the default cells in an unusual package. */
function templateOf(files: ReturnType<typeof chartFiles>, parts = files.parts, text = ''): DocxInput {
  const { contentTypes, relationship } = files;
  return { body: `<w:p>${files.run}${run(text)}</w:p>`, parts, contentTypes, rels: [relationship] };
}

/** The formulas of a chart with their values, where `-` is a gap. */
function shownData(docx: DocxPackage, part = 'word/charts/chart1.xml'): string[] {
  const xml = docx.readText(part) ?? '';
  return [...xml.matchAll(/<c:(str|num)Ref><c:f>(.*?)<\/c:f>(.*?)<\/c:\1Ref>/g)].map(
    ([, kind, formula, cache = '']) => {
      const count = Number(/<c:ptCount val="(\d+)"/.exec(cache)?.[1]);
      const values = new Map(
        [...cache.matchAll(/<c:pt idx="(\d+)"><c:v>(.*?)<\/c:v>/g)].map(([, i, v]) => [Number(i), v]),
      );
      return `${kind} ${formula} ${Array.from({ length: count }, (_, i) => values.get(i) ?? '-').join(' ')}`;
    },
  );
}

/** The cells of an embedded workbook, by row. */
function sheetOf(docx: DocxPackage, part = 'word/embeddings/Microsoft_Excel_Worksheet1.xlsx') {
  const workbook = Workbook.open(docx.read(part) ?? Buffer.alloc(0));
  const lines = workbook?.sheet('Sheet1')?.rows ?? [];
  return lines.map(({ number, cells: row }) => `${number}: ${row.map(({ value }) => value ?? '-').join(' | ')}`);
}

const filled = ['str Sheet1!$B$1 Sales 2026', 'str Sheet1!$A$2:$A$4 Jan Feb =1+1', 'num Sheet1!$B$2:$B$4 10 12.25 9'];
const second = ['str Sheet1!$C$1 Costs', 'str Sheet1!$A$2:$A$4 Jan Feb =1+1', 'num Sheet1!$C$2:$C$4 4.5 - 3'];

describe('a chart with tags in the cells of its workbook', () => {
  it.each<ChartKind>(['bar', 'stacked', 'line', 'area', 'pie', 'doughnut', 'radar', 'combination'])(
    'shows the data in a %s chart',
    (kind) => {
      expect(shownData(fillChart({ kind, cells }))).toEqual([...filled, ...second]);
    },
  );

  it('uses numbers as x values and as the sizes of bubbles', () => {
    const points = sheet(';Weight;Size', '{#points}{x};{y};{size}{/points}');
    const values = {
      points: [
        { x: '1.5', y: 2, size: 3 },
        { x: 4, y: 5 },
      ],
    };
    expect(shownData(fillChart({ kind: 'bubble', cells: points }, values))).toEqual([
      'str Sheet1!$B$1 Weight',
      'num Sheet1!$A$2:$A$3 1.5 4',
      'num Sheet1!$B$2:$B$3 2 5',
      'num Sheet1!$C$2:$C$3 3 -',
    ]);
    expect(shownData(fillChart({ kind: 'scatter', cells: points }, values))[1]).toBe('num Sheet1!$A$2:$A$3 1.5 4');
  });

  it('has the same data in its workbook, with text that cannot become a formula', async () => {
    const docx = fillChart({ kind: 'bar', cells });
    expect(sheetOf(docx)).toEqual([
      '1:   | Sales 2026 | Costs',
      '2: Jan | 10 | 4.5',
      '3: Feb | 12.25 | -',
      '4: =1+1 | 9 | 3',
    ]);
    const bytes = docx.read('word/embeddings/Microsoft_Excel_Worksheet1.xlsx') ?? Buffer.alloc(0);
    const workbook = Workbook.open(bytes);
    expect(workbook?.text('xl/worksheets/sheet1.xml')).not.toMatch(/<f[ >/]|\{/);
    expect(workbook?.text('xl/sharedStrings.xml')).not.toContain('{');
    expect(workbook?.text('xl/tables/table1.xml')).toContain('ref="A1:C4"');
    expect(workbook?.text('xl/tables/table1.xml')).toContain('name="Sales 2026"');
    expect(await validate(new Uint8Array(bytes), 'xlsx', 'Microsoft365')).toEqual([]);
  });

  it('keeps rows around a list, and excludes empty rows of its range', () => {
    const list = sheet(';Sum', 'Before;1', '{#items}{name};{sum}{/items}', ';', 'After;2', ';');
    const items = [
      { name: 'a', sum: 5 },
      { name: 'b', sum: 6 },
    ];
    const docx = fillChart({ kind: 'bar', cells: list }, { items });
    expect(shownData(docx)).toEqual([
      'str Sheet1!$B$1 Sum',
      'str Sheet1!$A$2:$A$6 Before a b - After',
      'num Sheet1!$B$2:$B$6 1 5 6 - 2',
    ]);
    const lines = ['1:   | Sum', '2: Before | 1', '3: a | 5', '4: b | 6', '5: - | -', '6: After | 2', '7: - | -'];
    expect(sheetOf(docx)).toEqual(lines);
  });

  it('repeats rows within rows, and excludes rows with a false condition', () => {
    const nested = sheet(
      ';Sum',
      '{#groups}{title};{total}',
      '{#items}{name};{sum}{/items}{/groups}',
      '{#shown}Rest;{rest}{/shown}',
    );
    const items = [
      { name: 'x', sum: 1 },
      { name: 'y', sum: 2 },
    ];
    const groups = [
      { title: 'A', total: 3, items },
      { title: 'B', total: 0, items: [] },
    ];
    const docx = fillChart({ kind: 'bar', cells: nested }, { groups, shown: false, rest: 1 });
    expect(shownData(docx).slice(1)).toEqual(['str Sheet1!$A$2:$A$6 A x y B -', 'num Sheet1!$B$2:$B$6 3 1 2 0 -']);
  });

  it('is empty for an empty list', () => {
    const docx = fillChart({ kind: 'pie', cells }, { ...data, months: [] });
    expect(shownData(docx).slice(0, 3)).toEqual([
      'str Sheet1!$B$1 Sales 2026',
      'str Sheet1!$A$2 -',
      'num Sheet1!$B$2 -',
    ]);
    expect(sheetOf(docx)[1]).toBe('2: - | - | -');
  });

  it('numbers equal column names in the workbook, as Excel does', () => {
    const docx = fillChart({ kind: 'bar', cells }, { ...data, other: 'sales 2026' });
    expect(shownData(docx)[3]).toBe('str Sheet1!$C$1 sales 2026');
    expect(sheetOf(docx)[0]).toBe('1:   | Sales 2026 | sales 20262');
  });
});

describe('a chart with tags in its text', () => {
  const titled: Chart = {
    kind: 'bar',
    cells: sheet(';Sum', 'a;1'),
    title: 'Sales of {year} & more',
    axisTitle: '{unit}',
  };

  it('fills the titles of the chart and its axes, and leaves the data alone', () => {
    const docx = fillChart(titled, { year: 2026, unit: 'EUR <net>' });
    const xml = docx.readText('word/charts/chart1.xml') ?? '';
    expect([...xml.matchAll(/<a:t>(.*?)<\/a:t>/g)].map(([, text]) => text)).toEqual([
      'Sales of 2026 &amp; more',
      'EUR &lt;net&gt;',
    ]);
    expect(shownData(docx)).toEqual(['str Sheet1!$B$1 Sum', 'str Sheet1!$A$2 a', 'num Sheet1!$B$2 1']);
  });

  it('fills names and categories in a chart without a workbook', () => {
    const files = chartFiles({ kind: 'bar', cells: sheet(';{series}', '{first};1') });
    const parts = { 'word/charts/chart1.xml': files.parts['word/charts/chart1.xml'] ?? '' };
    const { docx } = render(templateOf(files, parts), { series: 'S', first: 'F' });
    expect(shownData(docx)).toEqual(['str Sheet1!$B$1 S', 'str Sheet1!$A$2 F', 'num Sheet1!$B$2 1']);
  });
});

describe('a template whose only tags are in a chart', () => {
  it('lists the tags with their types', () => {
    const { tags, schema, example } = inspect(template({ kind: 'line', cells, title: '{title}' }));
    expect(tags).toEqual(['costs', 'months', 'name', 'other', 'sales', 'title', 'year']);
    expect(schema).toMatchObject({
      properties: {
        title: { type: 'string' },
        months: { items: { properties: { name: { type: 'string' }, sales: { type: 'number' } } } },
      },
    });
    expect(() => render(template({ kind: 'line', cells, title: '{title}' }), example)).not.toThrow();
  });

  it('is filled for a PDF too, without the workbook', () => {
    const docx = render(template({ kind: 'line', cells }), data, { target: 'pdf' }).docx;
    expect(shownData(docx)).toEqual([...filled, ...second]);
    expect(docx.partNames.filter((name) => name.endsWith('.xlsx'))).toEqual([]);
  });
});

describe('a chart in a section', () => {
  const around = { before: paragraph('{#regions}'), after: paragraph('{/regions}') };
  const chart: Chart = {
    kind: 'bar',
    cells: sheet(';{region} {year}', '{#months}{name};{sales}{/months}'),
    title: '{region}',
  };
  const months = (...sales: readonly number[]) => sales.map((sum, i) => ({ name: ['Jan', 'Feb'][i], sales: sum }));
  const regions = [
    { region: 'North', months: months(1) },
    { region: 'South', months: months(2, 3) },
    { region: 'West', months: [] },
  ];

  it('is repeated with its own data for each item', async () => {
    const { file, docx, xml } = render(template(chart, around), { year: 2026, regions });
    const parts = ['word/charts/chart1.xml', 'word/charts/chart1-2.xml', 'word/charts/chart1-3.xml'];
    expect(parts.map((part) => shownData(docx, part).at(-1))).toEqual([
      'num Sheet1!$B$2 1',
      'num Sheet1!$B$2:$B$3 2 3',
      'num Sheet1!$B$2 -',
    ]);
    expect(parts.map((part) => /<a:t>(.*?)</.exec(docx.readText(part) ?? '')?.[1])).toEqual(['North', 'South', 'West']);
    const workbook = 'word/embeddings/Microsoft_Excel_Worksheet1-2.xlsx';
    expect(sheetOf(docx, workbook)).toEqual(['1:   | South 2026', '2: Jan | 2', '3: Feb | 3']);
    expect(docx.readText('word/charts/_rels/chart1-2.xml.rels')).toContain(`/${workbook}`);
    const ids = [...xml.matchAll(/<c:chart [^>]*r:id="(\w+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(3);
    expect(await ooxmlProblems(file)).toEqual([]);
  });

  it('uses the item in the schema of the data', () => {
    expect(inspect(template(chart, around)).schema).toMatchObject({
      properties: {
        regions: { items: { properties: { months: { items: { properties: { sales: { type: 'number' } } } } } } },
      },
    });
  });

  it('disappears from a document without items', () => {
    expect(render(template(chart, around), { regions: [] }).xml).not.toContain('c:chart');
  });

  it('is refused if it appears in more than 200 places', () => {
    const titled: Chart = { kind: 'pie', cells: sheet(';A', 'x;1'), title: '{region}' };
    const many = { regions: Array.from({ length: 201 }, () => ({ region: 'x' })) };
    expect(errorOf(() => render(template(titled, around), many)).code).toBe('render_limit');
  });
});

it('fills a chart of the kinds added in Office 2016, such as a waterfall', () => {
  const dimension = (kind: string, type: string, formula: string, value: string, code = '') =>
    `<cx:${kind} type="${type}"><cx:f>${formula}</cx:f><cx:lvl ptCount="1"${code}><cx:pt idx="0">${value}</cx:pt></cx:lvl></cx:${kind}>`;
  const names =
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"';
  const xml =
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><cx:chartSpace ${names}><cx:chartData><cx:externalData r:id="rId1" cx:autoUpdate="0"/>` +
    `<cx:data id="0">${dimension('strDim', 'cat', 'Sheet1!$A$2', '{#months}{name}')}${dimension('numDim', 'val', 'Sheet1!$B$2', '0', ' formatCode="General"')}</cx:data>` +
    '</cx:chartData><cx:chart><cx:title><cx:tx><cx:rich><a:bodyPr/><a:p><a:r><a:t>{other}</a:t></a:r></a:p></cx:rich></cx:tx></cx:title>' +
    '<cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:f>Sheet1!$B$1</cx:f><cx:v>Sales {year}</cx:v></cx:txData></cx:tx>' +
    '<cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>';
  const oneSeries = sheet(';Sales {year}', '{#months}{name};{sales}{/months}');
  const { parts, contentTypes, run: shown } = chartFiles({ kind: 'bar', cells: oneSeries });
  const workbook = 'word/embeddings/Microsoft_Excel_Worksheet1.xlsx';
  const relationships = 'http://schemas.microsoft.com/office/2014/relationships';
  const file = buildDocx({
    body: `<w:p>${shown.replaceAll('c:chart', 'cx:chart').replace('xmlns:c=', 'xmlns:cx=').replaceAll('http://schemas.openxmlformats.org/drawingml/2006/chart', 'http://schemas.microsoft.com/office/drawing/2014/chartex')}</w:p>`,
    parts: {
      'word/charts/chartEx1.xml': xml,
      'word/charts/_rels/chartEx1.xml.rels': parts['word/charts/_rels/chart1.xml.rels'] ?? '',
      [workbook]: parts[workbook] ?? '',
    },
    contentTypes: {
      [workbook]: contentTypes[workbook] ?? '',
      'word/charts/chartEx1.xml': 'application/vnd.ms-office.chartex+xml',
    },
    rels: [{ id: 'rIdChart1', type: `${relationships}/chartEx`, target: 'charts/chartEx1.xml' }],
  });
  const { file: result, docx, part } = render(file, data);
  const filledXml = part('word/charts/chartEx1.xml');
  expect(filledXml.replace(/^.*?<cx:data /s, '<cx:data ').replace(/<cx:plotArea>.*<cx:txData>/s, '')).toMatch(
    new RegExp(
      '<cx:f>Sheet1!\\$A\\$2:\\$A\\$4</cx:f><cx:lvl ptCount="3"><cx:pt idx="0">Jan</cx:pt>.*' +
        '<cx:f>Sheet1!\\$B\\$2:\\$B\\$4</cx:f><cx:lvl ptCount="3" formatCode="General"><cx:pt idx="0">10</cx:pt>.*' +
        '<a:t>Costs</a:t>.*<cx:v>Sales 2026</cx:v>',
    ),
  );
  expect(sheetOf(docx)).toEqual(['1:   | Sales 2026', '2: Jan | 10', '3: Feb | 12.25', '4: =1+1 | 9']);
  expect(structureProblems(result)).toEqual([]);
});

describe("mistakes in a chart's data", () => {
  it.each([
    [
      [';{#a', 'x;1'],
      'In chart 1, series 1, cell B1: the tag that starts with "{#a" has no closing brace "}" in its paragraph.',
    ],
    [[';A', '{#a};1'], 'In chart 1, categories, cell A2: the section {#a} is never closed.'],
    [
      [';A;B', 'x;1;{b} EUR'],
      'In chart 1, series 2, cell C2: the tag {b} is not alone in its cell, and the chart draws the value of the cell.',
    ],
    [[';A', '{%logo};1'], 'In chart 1, categories, cell A2: the tag {%logo} is not allowed in the data of a chart.'],
    [
      [';A;B', '{#a}x;{/a}{#b};{/b}'],
      'In chart 1, series 1, cell B2: the section {#b} starts in a row in which another section ends.',
    ],
  ])('are reported with their location: %j', (wrong, message) => {
    const details = detailsOf(template({ kind: 'bar', cells: sheet(...wrong) }));
    expect(details.map((detail) => detail.message)).toEqual([message]);
  });

  it('include ranges that cannot grow', () => {
    const files = chartFiles({ kind: 'bar', cells });
    const chart = String(files.parts['word/charts/chart1.xml'])
      .replace('Sheet1!$B$2<', 'Sheet1!$B$2:$C$2<')
      .replace('Sheet1!$C$2<', '(Sheet1!$C$2,Sheet1!$C$4)<');
    const details = detailsOf(templateOf(files, { ...files.parts, 'word/charts/chart1.xml': chart }));
    expect(details.map(({ message }) => message)).toEqual([
      'In chart 1, series 1: a section repeats row 2, which has all values of the series.',
      'In chart 1, series 2: the range (Sheet1!$C$2,Sheet1!$C$4) cannot be filled.',
    ]);
  });

  it('include a value that is not a number, which is named', () => {
    const months = ['many', true].map((sales) => ({ name: 'Jan', sales, costs: 1 }));
    const wrong = { ...data, months };
    expect(errorOf(() => render(template({ kind: 'bar', cells }), wrong)).details).toMatchObject([
      { path: 'data.months[0].sales', message: 'The value of {sales} is not a number, which the chart needs.' },
      { path: 'data.months[1].sales', message: 'The value of {sales} is not a number, which the chart needs.' },
    ]);
  });

  it('include missing values, as warnings', () => {
    const { warnings } = render(template({ kind: 'bar', cells }), { ...data, months: [{ name: 'Jan', costs: null }] });
    expect(warnings).toMatchObject([{ code: 'missing_value', paths: ['data.months[0].sales'] }]);
  });

  it('include too many rows', () => {
    const months = Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}`, sales: i, costs: i }));
    expect(errorOf(() => render(template({ kind: 'bar', cells }), { ...data, months })).message).toBe(
      'The data of a chart has more than 10000 rows',
    );
  });

  it('do not include a workbook that cannot be read, which is ignored', () => {
    const files = chartFiles({ kind: 'bar', cells: sheet(';A', 'x;1'), title: '{t}' });
    const parts = { ...files.parts, 'word/embeddings/Microsoft_Excel_Worksheet1.xlsx': Buffer.from('no zip') };
    const { docx } = render(templateOf(files, parts, '{a}'), { t: 'T', a: 'A' });
    expect(docx.readText('word/charts/chart1.xml')).toContain('<a:t>T</a:t>');
    expect(docx.read('word/embeddings/Microsoft_Excel_Worksheet1.xlsx')?.toString()).toBe('no zip');
  });
});

it('do not include a chart without tags, which stays unchanged', () => {
  const file = template({ kind: 'bar', cells: sheet(';A', 'x;1') }, { before: paragraph('{name}') });
  const { docx } = render(file, { name: 'Ada' });
  const source = openPackage(file);
  for (const part of source.partNames.filter((name) => /chart|embeddings/.test(name)))
    expect(docx.read(part)?.equals(source.read(part) ?? Buffer.alloc(0))).toBe(true);
});
