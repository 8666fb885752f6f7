import { describe, expect, it } from 'vitest';
import { type DocxInput, paragraph, table } from '../../../support/documents/docx-builder.ts';
import {
  cellsOf,
  detailsOf,
  errorOf,
  fill,
  fillText,
  fillXml,
  inspect,
  problems,
  rows,
  titled,
} from '../render/fill.ts';

const orders = {
  orders: [
    { id: 1, status: 'late', amount: -5 },
    { id: 2, status: 'open', amount: 7 },
  ],
};

/** The cells of a filled document by row: the first run with text, its properties, and the cell's shading. */
function formatsOf(input: DocxInput | string, data: unknown): string[][] {
  const xml = fillXml(typeof input === 'string' ? { body: input } : input, data);
  const shown = (cell: string) => {
    const shading = /<w:tcPr>.*?w:fill="([^"]*)".*?<\/w:tcPr>/.exec(cell)?.[1];
    return `${runFormats(cell)[0] ?? ''}${shading === undefined ? '' : ` on ${shading}`}`;
  };
  return cellsOf(xml).map((row) => row.map(shown));
}

/** The names of the properties of each run that has text. */
function runFormats(xml: string): string[] {
  return [...xml.matchAll(/<w:r>(?:<w:rPr>(.*?)<\/w:rPr>)?<w:t[^>]*>([^<]+)<\/w:t>/g)].map(
    ([, properties = '', text]) =>
      [
        text,
        ...[...properties.matchAll(/<w:(\w+)(?: w:val="([^"]*)")?/g)].map(([, name, value]) =>
          value === undefined ? name : `${name}=${value}`,
        ),
      ].join(' '),
  );
}

describe('a formatted cell', () => {
  const body = table([
    ['Id', 'Status'],
    ['{#orders}{id}', '{@cell fill:status == "late" ? "FFC7CE" : null | bold:amount < 0}{status}{/orders}'],
  ]);

  it('takes colour and weight from the data, item by item', async () => {
    expect(formatsOf(body, orders)).toEqual(rows('Id;Status', '1;late b bCs on FFC7CE', '2;open'));
    expect(await problems({ body }, orders)).toEqual([]);
  });

  it('has its own colour within a coloured row', () => {
    const body = table([['{#orders}{@row fill:"red" | italic:true}{id}', '{@cell fill:"#0f0"}{status}{/orders}']]);
    expect(formatsOf(body, orders)[0]).toEqual(['1 i iCs on FF0000', 'late i iCs on 00FF00']);
  });

  it('keeps the formatting of the template, in the order that the schema requires', async () => {
    const properties =
      '<w:tcPr><w:tcW w:w="2000" w:type="dxa"/><w:shd w:val="clear" w:fill="EEEEEE"/><w:vAlign w:val="center"/></w:tcPr>';
    const run =
      '<w:r><w:rPr><w:color w:val="0000FF"/><w:sz w:val="20"/></w:rPr><w:t>{@cell fill:"red" | bold:yes}x</w:t></w:r>';
    const inner = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="900"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="900" w:type="dxa"/></w:tcPr>${paragraph('in')}</w:tc></w:tr></w:tbl>`;
    const cell = `<w:tc>${properties}<w:p>${run}</w:p>${inner}<w:p/></w:tc>`;
    const xml = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr>${cell}</w:tr></w:tbl>`;
    const filled = fillXml({ body: xml }, { yes: 1 });
    expect(filled).toContain(
      '<w:tcPr><w:tcW w:w="2000" w:type="dxa"/><w:shd w:val="clear" w:color="auto" w:fill="FF0000"/><w:vAlign w:val="center"/></w:tcPr>',
    );
    expect(filled).toContain('<w:rPr><w:b/><w:bCs/><w:color w:val="0000FF"/><w:sz w:val="20"/></w:rPr>');
    expect(filled).toContain('<w:tcPr><w:tcW w:w="900" w:type="dxa"/></w:tcPr>');
    expect(runFormats(filled)).toContain('in b bCs');
    expect(await problems({ body: xml }, { yes: 1 })).toEqual([]);
  });

  it('may be in a repeated column and in a merged cell', async () => {
    const columns = table([
      ['Product', '{|months}{@cell fill:isBest ? "gold" : null}{name}'],
      ['{#rows}{product}', '{@cell color:amounts[name] < 0 ? "red" : null}{amounts[name]}{/rows}'],
    ]);
    const data = {
      months: [{ name: 'Jan' }, { name: 'Feb', isBest: true }],
      rows: [{ product: 'Pen', amounts: { Jan: -1, Feb: 2 } }],
    };
    expect(formatsOf(columns, data)).toEqual(rows('Product;Jan;Feb on FFD700', 'Pen;-1 color=FF0000;2'));
    expect(await problems({ body: columns }, data)).toEqual([]);
  });
});

describe('a formatted row', () => {
  const body = table([
    ['Id', 'Amount'],
    ['{#orders}{@row hide:amount < 0}{id}', '{amount}{/orders}'],
    ['{@row hide:not orders}Sum', '{orders | sum:"amount"}'],
  ]);

  it('is hidden if the data says so', async () => {
    expect(formatsOf(body, orders)).toEqual(rows('Id;Amount', '2;7', 'Sum;2'));
    expect(formatsOf(body, { orders: [] })).toEqual([['Id', 'Amount']]);
    expect(await problems({ body }, orders)).toEqual([]);
    expect(await problems({ body }, { orders: [] })).toEqual([]);
  });

  it('leaves no table behind if all rows are hidden', async () => {
    const one = { body: table([['{@row hide:gone == null}x', 'y']]) + paragraph('after') };
    expect(fillText(one, {}).trim()).toBe('after');
    expect(await problems(one, {})).toEqual([]);
  });
});

describe('formatted text', () => {
  it('reaches to the end of its paragraph, or to the next tag', () => {
    const template = 'Total {@text color:amount < 0 ? "C00000" : "green" | bold:true}{amount}{@text italic:false} EUR';
    expect(runFormats(fillXml({ body: paragraph(template) + paragraph('next') }, { amount: -5 }))).toEqual([
      'Total ',
      '-5 b bCs color=C00000',
      ' EUR',
      'next',
    ]);
    expect(runFormats(fillXml(template, { amount: 5 }))[1]).toBe('5 b bCs color=008000');
  });

  it('may have a character style of the template, a background, and underline or strike-through', () => {
    const styles = {
      'word/styles.xml':
        '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="character" w:styleId="Warn1"><w:name w:val="Warning"/></w:style></w:styles>',
    };
    const input = { body: paragraph('{@text style:name | fill:"yellow" | underline:1 | strike:1}x'), parts: styles };
    expect(runFormats(fillXml(input, { name: 'warning' }))).toEqual(['x rStyle=Warn1 strike u=single shd=clear']);
    const error = errorOf(() => fill(input, { name: 'Wrong' }));
    expect(error.details).toMatchObject([{ path: 'data.name', message: expect.stringContaining('character style') }]);
  });

  it('formats the line breaks, the links and the values after it', () => {
    const template = '{@text bold:true}a {text} {name | link:url} z';
    const data = { text: 'one\ntwo', name: 'here', url: 'https://example.com/' };
    const formats = runFormats(fillXml(template, data));
    expect(formats.every((one) => / b bCs/.test(one))).toBe(true);
    expect(formats.map((one) => one.split(' ')[0])).toEqual(expect.arrayContaining(['here']));
  });
});

describe('mistakes in formats', () => {
  it.each([
    ['{@name}', 'raw XML tags are not allowed: print the value with a plain tag'],
    ['{@cell}', 'it formats nothing'],
    ['{@cel fill:"red"}', 'there is no "@cel"'],
    ['{@cell fil:"red"}', 'there is no property "fil"'],
    ['{@cell fill:"reddish"}', '"reddish" is not a colour'],
    ['{@cell "red"}', '""red"" is not a property with a value'],
    ['{@text hide:x}', '"hide" is for rows'],
    ['{@cell fill:a | upper}', '"upper" is not a property with a value'],
    ['{@cell bold:a >}', 'the expression ends too early'],
    ['{@cell bold:a | bold:b}', 'it has "bold" twice'],
  ])('%s is refused at upload', (tag, problem) => {
    expect(detailsOf({ body: table([[tag, '{x}']]) })).toMatchObject([
      { message: `In the body: the tag ${tag} is not valid: ${problem}.`, tag },
    ]);
  });

  it.each([
    [{ body: paragraph('{@cell fill:"red"}x') }, 'is outside the cells of a table'],
    [{ body: table([['{#a}{@row hide:b}{/a}', 'x']]) }, 'is inside a section of the row that it hides'],
    [titled('{@text bold:true}', { body: paragraph('{x}') }), 'is in a place that has no formatting'],
  ])('a tag in the wrong place is reported (%#)', (input, problem) => {
    expect(detailsOf(input)).toMatchObject([{ message: expect.stringContaining(problem) }]);
  });

  it('a value that is not a colour is reported with its path', () => {
    const template = { body: table([['{#list}{@cell fill:colour}{n}{/list}', 'x']]) };
    const list = ['red', 'rainbow', 7].map((colour, n) => ({ n, colour }));
    const error = errorOf(() => fill(template, { list }));
    expect(error.details).toMatchObject([{ path: 'data.list[1].colour' }, { path: 'data.list[2].colour' }]);
  });

  it('the names in conditions and colours are in the schema', () => {
    const { schema } = inspect({ body: table([['{@cell fill:colour | bold:urgent}{@row hide:secret}{name}', 'x']]) });
    expect(schema.properties).toEqual({
      colour: { type: 'string' },
      urgent: { type: 'boolean' },
      // A hidden row is an inverted section.
      secret: { type: ['boolean', 'object', 'array'] },
      name: { type: 'string' },
    });
  });
});
