import { describe, expect, it } from 'vitest';
import { paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { field, fieldMark } from '../../../support/documents/field-builder.ts';
import { type How, inspect, problems, render, withoutTags } from './fill.ts';

const saved = run('saved');
const amounts = ['{#items}{name}', '{amount | currency:"USD"}{/items}'];
const items = [1234.5, 20.5, 1000].map((amount, i) => ({ name: `Item ${'abc'[i]}`, amount }));
const data = { items, x: 7 };

/** What a field at the end of a table of three amounts shows. */
const inTable = (code: string): string =>
  table([['Item', 'Amount'], amounts, ['Total', `<w:p>${field(code, saved)}</w:p>`]]);
/** What a field in a paragraph shows, behind a bookmark that holds 12. */
const inText = (code: string): string =>
  `<w:p><w:bookmarkStart w:id="1" w:name="Price"/>${run('12')}<w:bookmarkEnd w:id="1"/></w:p><w:p>${run('{x}>')}${field(code, saved)}${run('<')}</w:p>`;

function shown(body: string, how: How = {}): string {
  const { xml } = render({ body }, data, how);
  return withoutTags(xml.replace(/<w:instrText[\s\S]*?<\/w:instrText>/g, ''))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}

const totals: readonly (readonly [code: string, result: string])[] = [
  ['=SUM(ABOVE)', '2255'],
  ['=SUM(ABOVE) \\# "$#,##0.00"', '$2,255.00'],
  ['=SUM(ABOVE)*-1 \\# "$#,##0.00;($#,##0.00)"', '($2,255.00)'],
  ['=SUM(B2:B4) \\# #,##0.0', '2,255.0'],
  ['=MAX(ABOVE) \\# 0.00', '1234.50'],
  ['=MIN(ABOVE)', '20.5'],
  ['=COUNT(ABOVE)', '3'],
  ['=ROUND(AVERAGE(ABOVE), 2)', '751.67'],
  ['=B2+B3', '1255'],
];

const texts: readonly (readonly [code: string, result: string])[] = [
  ['= 2 * (3 + 4)', '14'],
  ['=Price*3', '36'],
  ['= 10% * 50', '5'],
  ['= 2 ^ 3 ^ 2', '512'],
  ['= 1/0', '!Zero Divide'],
  ['=IF(Price > 10, 1, 2)', '1'],
  ['= 15 \\# $###', '$ 15'],
  ['= 5.5 \\# "$#,##0.00"', '$   5.50'],
  ['= 5.5 \\# "#,##0.00"', '5.50'],
  ['= 0-3 \\# 0.00;-0.00', '-3.00'],
  ['= 4 \\* Roman', 'IV'],
  ['= 21 \\* OrdText', 'twenty-first'],
  ['= 3 \\* Ordinal', '3rd'],
  ['IF 1 = 1 "yes" "no"', 'yes'],
  ['IF "Ada" = "A*" "yes" "no"', 'yes'],
  ['IF Price >= 12,5 "yes" "no"', 'no'],
  ['IF 1<>1 yes no \\* Upper', 'NO'],
  ['COMPARE 7 > 5', '1'],
  ['QUOTE "a" "b"', 'ab'],
  ['SECTION', '1'],
  ['FILENAME \\p', 'letter.docx'],
  ['SYMBOL 169', '©'],
  ['AUTHOR', 'saved'],
];

describe.each(['docx', 'pdf'] as const)('the result of a field is written for %s', (target) => {
  const how = { target, fileName: 'letter.docx' };
  it.each(totals)('in a table: %s', (code, result) =>
    expect(shown(inTable(code), how)).toMatch(new RegExp(`Total${quote(result)}$`)),
  );
  it.each(texts)('in text: %s', (code, result) => expect(shown(inText(code), how)).toContain(`7>${result}<`));

  it('by the language of the document', () => {
    for (const picture of ['#.##0,00 €', '#,##0.00 €']) {
      const body = table([
        ['{#items}{name}', '{amount | number:2} €{/items}'],
        ['Sum', `<w:p>${field(`=SUM(ABOVE) \\# "${picture}"`, saved)}</w:p>`],
      ]);
      expect(shown(body, { ...how, locale: 'de' })).toMatch(/2\.255,00 €$/);
    }
    expect(shown(inText('= 21 \\* CardText'), { ...how, locale: 'de' })).toContain('>einundzwanzig<');
  });

  it('with fields inside, and as a part of others', () => {
    const inner = field('= 1 + 1', saved);
    const code = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
    const whole = `${fieldMark('begin')}${code(' IF ')}${inner}${code(' = 2 "two: ')}${inner}${code('" "other" ')}${fieldMark('separate')}${saved}${fieldMark('end')}`;
    expect(shown(`<w:p>${run('{x}>')}${whole}${run('<')}</w:p>`, how)).toContain('two: 2<');
  });
});

const quote = (text: string): string => text.replace(/[$().]/g, '\\$&');

describe('fields', () => {
  it('stay fields in a .docx, and leave none for the converter', async () => {
    expect(render({ body: inTable('=SUM(ABOVE)') }, data).xml).toContain('=SUM(ABOVE)');
    expect(render({ body: inTable('=SUM(ABOVE)') }, data, { target: 'pdf' }).xml).not.toContain('fldChar');
    expect(await problems({ body: inTable('=SUM(ABOVE)') + inText('IF 1 = 1 "a" "b"') }, data)).toEqual([]);
  });

  it('that depend on pages wait for the layout', () => {
    const headers = [`<w:p>${field('SECTIONPAGES', saved)}</w:p>`];
    const { hasPageFields, part, xml } = render({ body: paragraph('{x}'), headers }, data, { target: 'pdf' });
    expect([hasPageFields, part('word/header1.xml').includes('SECTIONPAGES')]).toEqual([true, true]);
    expect(xml).toContain('_docmill_section_0');
  });

  it('that keep their saved result are named at upload, with their place', () => {
    const broken = `<w:p>${fieldMark('begin')}<w:r><w:instrText>IF 1 = 1 "a</w:instrText></w:r></w:p><w:p><w:r><w:instrText>b"</w:instrText></w:r>${fieldMark('separate')}${saved}${fieldMark('end')}</w:p>`;
    const { warnings } = inspect({
      body: paragraph('{x}') + broken,
      footers: [`<w:p>${field('USERNAME', saved)}</w:p>`],
    });
    expect(warnings.filter(({ code }) => code === 'field_kept')).toEqual([
      expect.objectContaining({ part: 'body', message: expect.stringContaining('IF (it spans several paragraphs') }),
      expect.objectContaining({ part: 'footer 1', message: expect.stringContaining('USERNAME') }),
    ]);
  });

  it('that print an error are reported with the document', () => {
    const { warnings } = render({ body: inText('= 1/0') }, data);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'field_error', part: 'word/document.xml' }));
  });
});

describe('lines of a value', () => {
  const lines = 'one\ntwo\r\n\r\nthree';

  it('become paragraphs like the one with the tag', async () => {
    const properties = '<w:pPr><w:jc w:val="both"/></w:pPr>';
    const body = `<w:p>${properties}<w:r><w:rPr><w:b/></w:rPr><w:t>Say: {lines | paragraphs}!</w:t></w:r></w:p>`;
    const { xml } = render({ body }, { lines });
    expect(xml.match(/<w:p>.*?<\/w:p>/g)?.map(withoutTags)).toEqual(['Say: one', 'two', 'three!']);
    expect(xml.split(properties)).toHaveLength(4);
    expect(xml.split('<w:b/>')).toHaveLength(4);
    expect(await problems({ body }, { lines })).toEqual([]);
  });

  it('keep the properties of a section in the last paragraph', () => {
    const section = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>';
    const body = `<w:p><w:pPr>${section}</w:pPr>${run('{lines | paragraphs}')}</w:p>${paragraph('end')}`;
    const { xml } = render({ body }, { lines });
    expect(xml.indexOf(section)).toBeGreaterThan(xml.indexOf('two'));
    expect(xml.split(section)).toHaveLength(2);
  });

  it('are not stretched in justified text', () => {
    const parts = {
      'word/settings.xml':
        '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:compat/></w:settings>',
    };
    const body = `<w:p><w:pPr><w:jc w:val="both"/></w:pPr>${run('{lines}')}</w:p>`;
    const settingsOf = (value: string) => render({ body, parts }, { lines: value }).part('word/settings.xml');
    expect(settingsOf(lines)).toContain('<w:compat><w:doNotExpandShiftReturn/></w:compat>');
    expect(settingsOf('one')).not.toContain('doNotExpandShiftReturn');
  });
});

describe('the text of WordArt', () => {
  const shape = (text: string): string =>
    `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" id="s" type="#_x0000_t136"><v:textpath style="font-size:1pt" string="${text}"/></v:shape></w:pict></w:r></w:p>`;

  it.each(['docx', 'pdf'] as const)('is filled for %s', (target) => {
    const headers = [shape('{#draft}Draft of &quot;{name}&quot;{/draft}')];
    const { part } = render({ body: paragraph('{name}'), headers }, { draft: true, name: 'A & B' }, { target });
    expect(part('word/header1.xml')).toContain('string="Draft of &quot;A &amp; B&quot;"/>');
  });

  it('is part of the schema, and its mistakes are found', () => {
    expect(inspect({ body: shape('{status}') }).tags).toEqual(['status']);
    expect(() => inspect({ body: shape('{status | unknown}') })).toThrow();
  });
});

describe('a document for the converter', () => {
  it('has the colours of Office if it names colours without a theme', () => {
    const body = `<w:p><w:r><w:rPr><w:color w:val="auto" w:themeColor="accent1"/></w:rPr><w:t>{x}</w:t></w:r></w:p>`;
    expect(render({ body }, data, { target: 'pdf' }).part('word/theme/docmill-theme.xml')).toContain('4472C4');
    expect(
      render({ body: paragraph('{x}') }, data, { target: 'pdf' }).docx.entry('word/theme/docmill-theme.xml'),
    ).toBeUndefined();
  });

  it.each([
    ['', '<w:jc w:val="right"/>'],
    ['<w:jc w:val="start"/>', '<w:jc w:val="right"/>'],
    ['<w:jc w:val="end"/>', '<w:jc w:val="left"/>'],
    ['<w:jc w:val="center"/>', '<w:jc w:val="center"/>'],
  ])('has right-to-left tables at their leading edge: %s', (written, placed) => {
    const body = `<w:tbl><w:tblPr><w:bidiVisual/>${written}</w:tblPr><w:tblGrid><w:gridCol w:w="900"/></w:tblGrid><w:tr><w:tc><w:p>${run('{x}')}</w:p></w:tc></w:tr></w:tbl><w:p/>`;
    expect(render({ body }, data, { target: 'pdf' }).xml).toContain(placed);
    expect(render({ body }, data).xml).toContain(`<w:bidiVisual/>${written}</w:tblPr>`);
  });

  it('names the decimal symbol of its language if it has decimal tabs', () => {
    const settings =
      '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:decimalSymbol w:val=","/></w:settings>';
    const tabs = '<w:pPr><w:tabs><w:tab w:val="decimal" w:pos="900"/></w:tabs></w:pPr>';
    const filled = (properties: string, locale: string) =>
      render({ body: `<w:p>${properties}${run('{x}')}</w:p>`, parts: { 'word/settings.xml': settings } }, data, {
        target: 'pdf',
        locale,
      });
    expect(filled(tabs, 'de').part('word/settings.xml')).toContain('<w:decimalSymbol w:val=","/>');
    expect(filled(tabs, 'en').part('word/settings.xml')).not.toContain('decimalSymbol');
    expect(filled('', 'de').part('word/settings.xml')).not.toContain('decimalSymbol');
    expect(filled(tabs, 'fr').warnings.map(({ code }) => code)).toEqual(['unused_data', 'decimal_tab']);
  });
});
