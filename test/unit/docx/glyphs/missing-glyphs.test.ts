import { describe, expect, it } from 'vitest';
import type { Warning } from '../../../../src/worker/docx/core/warning.ts';
import { hasUnprintable } from '../../../../src/worker/docx/glyphs/has-unprintable.ts';
import { PrintableCharacters } from '../../../../src/worker/docx/glyphs/printable-characters.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';
import { field } from '../../../support/documents/field-builder.ts';
import { bytesOf, errorOf, type How, inspect, render, type Template, types } from '../render/fill.ts';

const latin = [0x20, 0x7e, 0xa0, 0xff, 0x2010, 0x2026];
const printable = new PrintableCharacters('latin', latin);
const chinese = new PrintableCharacters('chinese', [...latin, 0x4e00, 0x9fff]);
const kai = { names: ['kai'], alias: 'docmill1', styles: ['regular' as const], coverage: [0x4e00, 0x9fff] };

const fillForPdf = (template: Template, data: unknown = {}, how: How = {}) =>
  render(template, data, { target: 'pdf', printable, ...how });
const warningsOf = (template: Template, data: unknown = {}, how: How = {}) =>
  fillForPdf(template, data, how).warnings.filter(({ code }) => code === 'missing_glyph');
const charactersOf = ({ characters = [] }: Warning) => characters.map(({ character }) => character).join('');
const missing = (template: Template, data: unknown = {}, how: How = {}) =>
  warningsOf(template, data, how).map(charactersOf).join('');
const text = (content: string) => `<w:r><w:t>${content}</w:t></w:r>`;

describe('a PDF with characters that no font has', () => {
  it('gets a warning with the characters, the location, the font and the values', () => {
    expect(warningsOf('Dear {name}, welcome', { name: '李明', other: ['x', { deep: '明' }] })).toEqual([
      {
        code: 'missing_glyph',
        message:
          'No installed font has 李 (U+674E), 明 (U+660E). An empty box is printed instead, 2 times in the body, in text of the font Carlito.',
        part: 'body',
        font: 'Carlito',
        context: 'Dear 李明, welcome',
        characters: [
          { character: '李', codePoint: 'U+674E' },
          { character: '明', codePoint: 'U+660E' },
        ],
        paths: ['data.name', 'data.other[1].deep'],
        count: 2,
      },
    ]);
  });

  it('is refused with the same details when the request asks for it', () => {
    const error = errorOf(() => fillForPdf('{name}', { name: '李' }, { onMissingGlyph: 'error' }));
    expect(error).toMatchObject({ code: 'missing_glyph', status: 400 });
    expect(error.details).toMatchObject([
      { type: 'Message', part: 'body', font: 'Carlito', context: '李', paths: ['data.name'], count: 1 },
    ]);
    expect(fillForPdf('{name}', { name: 'Lee' }, { onMissingGlyph: 'error' }).warnings).toEqual([]);
  });

  it('gets no warning as a .docx, because its reader has other fonts', () => {
    const { warnings } = render('{a}', { a: '李' }, { printable, onMissingGlyph: 'error' });
    expect(warnings).toEqual([]);
  });

  it('names each part and each font once, with the number of occurrences', () => {
    const run = (font: string, content: string) =>
      `<w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"/></w:rPr><w:t>${content}</w:t></w:r>`;
    const body = `<w:p>${run('One', 'aあbあ')}${run('Two', 'ก')}</w:p><w:p>${run('One', 'い')}{x}</w:p>${paragraph('{x}')}`;
    const found = warningsOf({ body, headers: [paragraph('あ {x}')] }, { x: 'x' });
    expect(found.map(({ part, font, count, context }) => [part, font, count, context])).toEqual([
      ['body', 'One', 3, 'aあbあก'],
      ['body', 'Two', 1, 'aあbあก'],
      ['header 1', 'Carlito', 1, 'あ x'],
    ]);
  });

  it('shows forty characters around the first occurrence', () => {
    const [warning] = warningsOf('{x}', { x: `${'a'.repeat(50)}李${'b'.repeat(50)}` });
    expect(warning?.context).toBe(`…${'a'.repeat(20)}李${'b'.repeat(19)}…`);
  });

  it('lists at most fifty characters and fifty values, and counts all', () => {
    const rows = Array.from({ length: 80 }, (_, i) => ({ v: String.fromCodePoint(0x4e00 + i) }));
    const [warning] = warningsOf('{#rows}{v}{/rows}', { rows });
    expect(warning?.characters).toHaveLength(50);
    expect(warning?.paths).toHaveLength(50);
    expect(warning?.count).toBe(80);
  });

  it.each([
    ['tabs, line ends and the controls of layout', 'a\tb\u00ad\u200b\u200d\u200e\u2060\ufeff\u2028c'],
    ['spaces of every width', 'a\u00a0\u2002\u2009\u202f\u3000b'],
    ['variation selectors', 'a\ufe0f\u{e0100}'],
    ['the hyphen that does not break', 'a\u2011b'],
    ['a letter whose parts a font has', 'e\u0301'],
    ['a letter that is the form of another', '\u212b'],
  ])('do not include %s', (_what, x) => {
    expect(missing('{x}', { x })).toBe('');
  });

  it('are found outside the basic multilingual plane, and count as one character', () => {
    expect(missing('{x}', { x: 'a😀\u{20000}' })).toBe('😀\u{20000}');
    const emoji = new PrintableCharacters('emoji', [0x20, 0x7e, 0x1f600, 0x1f600]);
    expect(missing('{x}', { x: '😀' }, { printable: emoji })).toBe('');
  });

  it('are not replaced by equivalent Chinese characters', () => {
    expect(missing('{x}', { x: '\u5145\ufa72' }, { printable: chinese })).toBe('\ufa72');
  });

  it('are only those of printed text', () => {
    const attribute = '<w:bookmarkStart w:id="1" w:name="書"/><w:bookmarkEnd w:id="1"/>';
    const hidden = '<w:r><w:rPr><w:vanish/></w:rPr><w:t>隠</w:t></w:r>';
    const entry = field('TC "文"', '');
    expect(missing({ body: `<w:p>${attribute}${hidden}${entry}${text('{x} 見')}</w:p>` }, { x: 1 })).toBe('見');
  });

  it('are found when the template writes them as character references', () => {
    expect(missing({ body: `<w:p>${text('{x} &#x4E2D;&#25991;')}</w:p>` })).toBe('中文');
  });

  it('are reported once when text has a fallback for older programs', () => {
    const box = `<w:txbxContent><w:p>${text('中')}</w:p></w:txbxContent>`;
    const either = (requires: string, choice: string, fallback: string) =>
      `<w:r><mc:AlternateContent><mc:Choice Requires="${requires}">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent></w:r>`;
    const newer = either('w16se', '<w:t>文</w:t>', '<w:t>字</w:t>');
    const found = warningsOf({ body: `<w:p>${either('wps', box, box)}${newer}${text('{x}')}</w:p>` });
    expect(found.map(charactersOf).join('')).toBe('中字');
    expect(found.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(2);
  });

  it('are checked for another account with its own fonts', () => {
    const prepared = prepareTemplate(bytesOf({ body: paragraph('中 {x}'), headers: [paragraph('中')] }), 'pdf');
    const partsWith = (fonts: PrintableCharacters) =>
      renderTemplate(prepared, Buffer.from('{"x":1}'), {}, { printable: fonts }).warnings.map(({ part }) => part);
    for (let i = 0; i < 2; i++) {
      expect(partsWith(printable)).toEqual(['body', 'header 1']);
      expect(partsWith(chinese)).toEqual([]);
    }
  });
});

describe('the font of missing characters', () => {
  const wordNs = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const rFonts = (name: string) =>
    `<w:rPr><w:rFonts w:ascii="${name} Latin" w:hAnsi="${name} Ansi" w:eastAsia="${name} Asia" w:cs="${name} Complex"/></w:rPr>`;
  const style = (id: string, type: string, more: string) =>
    `<w:style w:type="${type}" w:styleId="${id}">${more}</w:style>`;
  const styles = (...own: string[]) => ({
    'word/styles.xml': `<w:styles ${wordNs}><w:docDefaults><w:rPrDefault>${rFonts('Default')}</w:rPrDefault></w:docDefaults>${own.join('')}</w:styles>`,
  });
  const fontOf = (body: string, parts: DocxInput['parts']) =>
    warningsOf({ body, ...(parts && { parts }) }).map(({ font }) => font);
  const sample = '<w:t>{x} 中กŁ</w:t>';
  const slots = (name: string) => [`${name} Asia`, `${name} Complex`, `${name} Ansi`];

  it("comes from the run, its style, the paragraph's style or their base styles, and otherwise is the default", () => {
    const all = styles(
      style('Base', 'paragraph', rFonts('Base')),
      style('Body', 'paragraph', '<w:basedOn w:val="Base"/>'),
      style('Strong', 'character', rFonts('Strong')),
    );
    const inBody = (run: string) =>
      `<w:p><w:pPr><w:pStyle w:val="Body"/>${rFonts('Mark')}</w:pPr><w:r>${run}${sample}</w:r></w:p>`;
    const strong = '<w:rStyle w:val="Strong"/>';
    expect(fontOf(inBody(rFonts('Run').replace('<w:rPr>', `<w:rPr>${strong}`)), all)).toEqual(slots('Run'));
    expect(fontOf(inBody(`<w:rPr>${strong}</w:rPr>`), all)).toEqual(slots('Strong'));
    expect(fontOf(inBody(''), all)).toEqual(slots('Base'));
    const plain = `<w:p><w:r>${sample}</w:r></w:p>`;
    expect(fontOf(plain, all)).toEqual(slots('Default'));
    expect(fontOf(plain, { 'word/styles.xml': `<w:styles ${wordNs}/>` })).toEqual(['Times New Roman']);
  });

  it('is found even if styles are based on each other in a circle', () => {
    const based = (id: string, base: string) => style(id, 'paragraph', `<w:basedOn w:val="${base}"/>`);
    const body = `<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r>${sample}</w:r></w:p>`;
    expect(fontOf(body, styles(based('A', 'B'), based('B', 'A')))).toEqual(slots('Default'));
  });
});

describe('text outside of paragraphs', () => {
  const drawing = (kind: string) => `application/vnd.openxmlformats-officedocument.drawingml.${kind}+xml`;
  const found = (input: DocxInput) =>
    warningsOf({ body: paragraph('{x}'), ...input }).map((warning) => [
      warning.part,
      warning.font,
      charactersOf(warning),
    ]);
  const a = (value: string) => `<a:p xmlns:a="a"><a:r><a:t>${value}</a:t></a:r></a:p>`;
  const withChart = (inner: string, more: DocxInput = {}): DocxInput => ({
    ...more,
    body: paragraph('{x}'),
    parts: { ...more.parts, 'word/charts/chart1.xml': `<c:chartSpace xmlns:c="c" xmlns:a="a">${inner}</c:chartSpace>` },
    contentTypes: { ...more.contentTypes, 'word/charts/chart1.xml': drawing('chart') },
  });

  it('is checked in charts and SVG pictures', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>書</title><text><tspan>文</tspan></text></svg>';
    const pictures = { parts: { 'word/media/image3.svg': svg }, contentTypes: { svg: 'image/svg+xml' } };
    expect(found(withChart(`${a('販')}<c:pt><c:v>{x} 売</c:v></c:pt>`, pictures))).toEqual([
      ['SVG picture 3', undefined, '文'],
      ['chart 1', undefined, '販売'],
    ]);
  });

  it('has the fonts of its runs, of their paragraphs and of the theme, if it is in a chart', () => {
    const theme =
      '<a:theme xmlns:a="a"><a:fontScheme><a:majorFont/><a:minorFont><a:latin typeface="Themed"/></a:minorFont></a:fontScheme></a:theme>';
    const run = (content: string, font = '') =>
      `<a:r>${font === '' ? '' : `<a:rPr>${font}</a:rPr>`}<a:t>${content}</a:t></a:r>`;
    const [asian, own] = ['<a:latin typeface="Latin"/><a:ea typeface="Asian"/>', '<a:ea typeface="Own"/>'];
    const paragraphs =
      `<a:p><a:pPr><a:defRPr>${asian}</a:defRPr></a:pPr>${run('販')}${run('売', own)}</a:p>` +
      `<a:p>${run('Ж', '<a:latin typeface="+mn-lt"/>')}</a:p><a:p>${run('高')}</a:p>`;
    const themed = {
      parts: { 'word/theme/theme1.xml': theme },
      contentTypes: { 'word/theme/theme1.xml': 'application/vnd.openxmlformats-officedocument.theme+xml' },
    };
    expect(found(withChart(`<c:title><c:tx><c:rich>${paragraphs}</c:rich></c:tx></c:title>`, themed))).toEqual([
      ['chart 1', 'Asian', '販'],
      ['chart 1', 'Own', '売'],
      ['chart 1', 'Themed', 'Ж'],
      ['chart 1', undefined, '高'],
    ]);
  });

  it("is checked in a chart's categories, values, series names and number formats, once for each place", () => {
    const cache = (value: string) => `<c:strCache><c:pt idx="0"><c:v>${value}</c:v></c:pt></c:strCache>`;
    const values = '<c:numCache><c:formatCode>0 "円"</c:formatCode><c:pt idx="0"><c:v>1</c:v></c:pt></c:numCache>';
    const series = `<c:ser><c:tx><c:strRef>${cache('列')}</c:strRef></c:tx><c:cat>${cache('春')}</c:cat><c:val><c:numRef>${values}</c:numRef></c:val></c:ser>`;
    const chart = withChart(`${series}<c:valAx><c:numFmt formatCode="0&quot;個&quot;"/></c:valAx>`);
    expect(warningsOf(chart)).toMatchObject([{ part: 'chart 1', count: 4 }]);
    expect(missing(chart)).toBe('列春円個');
  });

  it("is checked in a chart's shapes, and in diagrams without a drawing", () => {
    const parts = {
      'word/drawings/drawing4.xml': `<c:userShapes xmlns:c="c">${a('形')}</c:userShapes>`,
      'word/diagrams/data5.xml': `<dgm:dataModel xmlns:dgm="d">${a('図')}</dgm:dataModel>`,
    };
    const contentTypes = {
      'word/drawings/drawing4.xml': drawing('chartshapes'),
      'word/diagrams/data5.xml': drawing('diagramData'),
    };
    expect(found({ parts, contentTypes }).map(([part]) => part)).toEqual(['chart 4', 'diagram 5']);
    const drawn = 'word/diagrams/drawing5.xml';
    const both = {
      parts: { ...parts, [drawn]: `<dsp:drawing xmlns:dsp="d">${a('x')}</dsp:drawing>` },
      contentTypes: { ...contentTypes, [drawn]: 'application/vnd.ms-office.drawingml.diagramDrawing+xml' },
    };
    expect(found(both).map(([part]) => part)).toEqual(['chart 4']);
  });

  it('is checked in WordArt, with its font', () => {
    const art = `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textpath style="font-family:&quot;Kai&quot;;font-size:1pt" string="社外秘 {x}"/></v:shape></w:pict></w:r></w:p>`;
    expect(found({ headers: [art] })).toEqual([['header 1', 'Kai', '社外秘']]);
  });

  it('is not checked in comments and alternative texts, which are not printed', () => {
    const named = '<w:p><w:r><w:drawing><wp:docPr id="1" name="画" descr="絵"/></w:drawing></w:r></w:p>';
    expect(missing({ body: paragraph('{x}') + named, comments: [`<w:p>${text('注')}</w:p>`] })).toBe('');
  });

  it('may be covered by fonts of the account that it names', () => {
    const how = { accountFonts: [kai] };
    const chart = (font: string) =>
      withChart(
        `<c:pt><c:v>春{x}</c:v></c:pt><c:txPr><a:p><a:pPr><a:defRPr><a:latin typeface="${font}"/></a:defRPr></a:pPr></a:p></c:txPr>`,
      );
    expect(missing(chart('Kai'), { x: 1 }, how)).toBe('');
    expect(missing(chart('Song'), { x: 1 }, how)).toBe('春');
  });

  it('is checked in list numbers that paragraphs or styles use', () => {
    const level = (id: number, bullet: string) =>
      `<w:abstractNum w:abstractNumId="${id}"><w:lvl w:ilvl="0"><w:lvlText w:val="${bullet}"/><w:rPr><w:rFonts w:ascii="Bullets ${id}" w:hAnsi="Bullets ${id}"/></w:rPr></w:lvl></w:abstractNum>`;
    const numbering = `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${level(0, '➤')}${level(1, '❖')}<w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="6"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
    const list = {
      body: `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="5"/></w:numPr></w:pPr>${text('{x}')}</w:p>`,
      parts: { 'word/numbering.xml': numbering },
      contentTypes: { 'word/numbering.xml': types.word('numbering') },
      rels: [{ id: 'rIdN', type: 'numbering', target: 'numbering.xml' }],
    };
    expect(found(list)).toEqual([['numbering', 'Bullets 0', '➤']]);
  });
});

describe('the upload of a template', () => {
  const reported = (input: DocxInput, fonts: Parameters<typeof inspect>[1] = { printable }) =>
    inspect(input, fonts).warnings.filter(({ code }) => code === 'missing_glyph');

  it("reports the characters in the template's own text, with their location", () => {
    const found = reported({ body: paragraph('請 {x}'), headers: [paragraph('ก {y}')] });
    expect(found).toMatchObject([
      { part: 'body', font: 'Carlito', context: '請 {x}', count: 1 },
      { part: 'header 1', characters: [{ codePoint: 'U+0E01' }] },
    ]);
    expect(found[0]?.message).toBe(
      'No installed font has 請 (U+8ACB). An empty box is printed instead, once in the body, in text of the font Carlito.',
    );
  });

  it('does not report characters that occur only in tags, however Word splits them', () => {
    const split = paragraph(['{#x == "', '中"}', '文{/x == "中"}']);
    expect(reported({ body: split }).map(charactersOf)).toEqual(['文']);
  });

  it("does not report characters that the account's fonts have, or any without a list of fonts", () => {
    const body = `<w:p><w:r><w:rPr><w:rFonts w:eastAsia="Kai"/></w:rPr><w:t>中{x}</w:t></w:r></w:p>`;
    expect(reported({ body })).toHaveLength(1);
    expect(reported({ body }, { printable, accountFonts: [kai] })).toEqual([]);
    expect(reported({ body }, {})).toEqual([]);
  });
});

describe('symbols of Word', () => {
  const symbol = (font: string, char: string) =>
    `<w:p><w:r><w:sym w:font="${font}" w:char="${char}"/></w:r>${text('{x}')}</w:p>`;

  it('are printed with OpenSymbol and not reported', () => {
    expect(missing({ body: symbol('Wingdings', 'F0FC') + symbol('Symbol', 'F0B7') })).toBe('');
  });

  it('are reported if they use other fonts', () => {
    expect(warningsOf({ body: symbol('Company Icons', 'F0FC') })).toMatchObject([
      { font: 'Company Icons', characters: [{ codePoint: 'U+F0FC' }] },
    ]);
  });
});

it.each([
  ['é', false],
  ['中', true],
  ['😀', true],
  ['&#x4e2d;', true],
  ['&#233;', false],
])('a scan of the bytes finds %s at any offset and alignment: %s', (character, expected) => {
  for (let shift = 0; shift < 8; shift++) {
    for (let before = 0; before < 12; before++) {
      const bytes = Buffer.from(`${'-'.repeat(shift)}${'a'.repeat(before)}${character}aé`).subarray(shift);
      expect([shift, before, hasUnprintable(bytes, printable)]).toEqual([shift, before, expected]);
    }
  }
});

it('no default-ignorable character of Unicode is reported', () => {
  const none = new PrintableCharacters('none', []);
  const wrong: string[] = [];
  for (let code = 0; code < 0x110000; code++) {
    if (/\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code)) && !none.has(code))
      wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});
