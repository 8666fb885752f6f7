import { describe, expect, it } from 'vitest';
import { CodePointSet, mergeRanges, parseRanges } from '../../../../src/shared/code-point-set.ts';
import type { RenderOptions } from '../../../../src/worker/docx/core/render/render-options.ts';
import { PrintableCharacters } from '../../../../src/worker/docx/glyphs/printable-characters.ts';
import { hasUnprintable } from '../../../../src/worker/docx/glyphs/scan-bytes.ts';
import { type InspectionOptions, inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';
import { errorOf } from '../render/fill.ts';

const latin = [0x20, 0x7e, 0xa0, 0xff, 0x2010, 0x2026];
const printable = new PrintableCharacters('latin', latin);

function fillForPdf(input: DocxInput | string, data: unknown, options: RenderOptions = {}, fonts = printable) {
  const docx = buildDocx(typeof input === 'string' ? { body: paragraph(input) } : input);
  return renderTemplate(prepareTemplate(docx, 'pdf'), Buffer.from(JSON.stringify(data)), options, { printable: fonts });
}

const warningsOf = (input: DocxInput | string, data: unknown = {}, fonts = printable) =>
  fillForPdf(input, data, {}, fonts).warnings.filter(({ code }) => code === 'missing_glyph');
const missing = (input: DocxInput | string, data: unknown = {}, fonts = printable) =>
  warningsOf(input, data, fonts).flatMap(({ characters = [] }) => characters.map(({ character }) => character));

describe('a PDF with characters that no font has', () => {
  it('gets a warning with the characters, the place, the font and the values', () => {
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

  it('is not checked as a .docx, which is printed with the fonts of its reader', () => {
    const prepared = prepareTemplate(buildDocx({ body: paragraph('{a}') }), 'docx');
    const { warnings } = renderTemplate(
      prepared,
      Buffer.from('{"a":"李"}'),
      { onMissingGlyph: 'error' },
      { printable },
    );
    expect(warnings).toEqual([]);
  });

  it('names each part and each font once, with the number of places', () => {
    const run = (font: string, text: string) =>
      `<w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"/></w:rPr><w:t>${text}</w:t></w:r>`;
    const found = warningsOf(
      {
        body: `<w:p>${run('One', 'aあbあ')}${run('Two', 'ก')}</w:p><w:p>${run('One', 'い')}{x}</w:p>${paragraph('{x}')}`,
        headers: [paragraph('あ {x}')],
      },
      { x: 'x' },
    );
    expect(found.map(({ part, font, count, context }) => [part, font, count, context])).toEqual([
      ['body', 'One', 3, 'aあbあก'],
      ['body', 'Two', 1, 'aあbあก'],
      ['header 1', 'Carlito', 1, 'あ x'],
    ]);
  });

  it('shows forty characters around the first place', () => {
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
  ])('are not %s', (_what, text) => {
    expect(missing('{x}', { x: text })).toEqual([]);
  });

  it('are found outside the basic plane, and as one character', () => {
    expect(missing('{x}', { x: 'a😀\u{20000}' })).toEqual(['😀', '\u{20000}']);
    expect(missing('{x}', { x: '😀' }, new PrintableCharacters('emoji', [0x20, 0x7e, 0x1f600, 0x1f600]))).toEqual([]);
  });

  it('are not replaced by equivalent Chinese characters', () => {
    const chinese = new PrintableCharacters('chinese', [...latin, 0x4e00, 0x9fff]);
    expect(missing('{x}', { x: '\u5145\ufa72' }, chinese)).toEqual(['\ufa72']);
  });

  it('are only those of printed text', () => {
    const attribute = '<w:bookmarkStart w:id="1" w:name="書"/><w:bookmarkEnd w:id="1"/>';
    const hidden = '<w:r><w:rPr><w:vanish/></w:rPr><w:t>隠</w:t></w:r>';
    const field =
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>QUOTE 文</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
    expect(missing({ body: `<w:p>${attribute}${hidden}${field}<w:r><w:t>{x} 見</w:t></w:r></w:p>` }, { x: 1 })).toEqual(
      ['見'],
    );
  });

  it('are found when the template writes them as references', () => {
    expect(missing({ body: '<w:p><w:r><w:t>{x} &#x4E2D;&#25991;</w:t></w:r></w:p>' })).toEqual(['中', '文']);
  });

  it('are reported once when text has a fallback for older programs', () => {
    const box = (text: string) => `<w:txbxContent><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:txbxContent>`;
    const both = `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps">${box('中')}</mc:Choice><mc:Fallback>${box('中')}</mc:Fallback></mc:AlternateContent>`;
    const newer =
      '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="w16se"><w:t>文</w:t></mc:Choice><mc:Fallback><w:t>字</w:t></mc:Fallback></mc:AlternateContent>';
    const found = warningsOf({ body: `<w:p><w:r>${both}</w:r><w:r>${newer}</w:r><w:r><w:t>{x}</w:t></w:r></w:p>` });
    expect(found.flatMap(({ characters = [] }) => characters.map(({ character }) => character))).toEqual(['中', '字']);
    expect(found.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(2);
  });

  it('are checked for another account with its own fonts', () => {
    const prepared = prepareTemplate(buildDocx({ body: paragraph('中 {x}'), headers: [paragraph('中')] }), 'pdf');
    const partsWith = (fonts: PrintableCharacters) =>
      renderTemplate(prepared, Buffer.from('{"x":1}'), {}, { printable: fonts }).warnings.map(({ part }) => part);
    const chinese = new PrintableCharacters('chinese', [...latin, 0x4e00, 0x9fff]);
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
  const text = '<w:t>{x} 中กŁ</w:t>';
  const slots = (name: string) => [`${name} Asia`, `${name} Complex`, `${name} Ansi`];

  it('is that of the run, then of its style, the style of the paragraph and their bases, then the default', () => {
    const all = styles(
      style('Base', 'paragraph', rFonts('Base')),
      style('Body', 'paragraph', '<w:basedOn w:val="Base"/>'),
      style('Strong', 'character', rFonts('Strong')),
    );
    const inBody = (run: string) =>
      `<w:p><w:pPr><w:pStyle w:val="Body"/>${rFonts('Mark')}</w:pPr><w:r>${run}${text}</w:r></w:p>`;
    expect(fontOf(inBody(rFonts('Run').replace('<w:rPr>', '<w:rPr><w:rStyle w:val="Strong"/>')), all)).toEqual(
      slots('Run'),
    );
    expect(fontOf(inBody('<w:rPr><w:rStyle w:val="Strong"/></w:rPr>'), all)).toEqual(slots('Strong'));
    expect(fontOf(inBody(''), all)).toEqual(slots('Base'));
    expect(fontOf(`<w:p><w:r>${text}</w:r></w:p>`, all)).toEqual(slots('Default'));
    expect(fontOf(`<w:p><w:r>${text}</w:r></w:p>`, { 'word/styles.xml': `<w:styles ${wordNs}/>` })).toEqual([
      'Times New Roman',
    ]);
  });

  it('is found in styles that are based on each other in a circle', () => {
    const circle = styles(
      style('A', 'paragraph', '<w:basedOn w:val="B"/>'),
      style('B', 'paragraph', '<w:basedOn w:val="A"/>'),
    );
    expect(fontOf(`<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r>${text}</w:r></w:p>`, circle)).toEqual(
      slots('Default'),
    );
  });
});

describe('text outside of paragraphs', () => {
  const type = (name: string) => `application/vnd.openxmlformats-officedocument.${name}+xml`;

  it('of charts and SVG pictures is checked', () => {
    const chart =
      '<c:chartSpace xmlns:c="c" xmlns:a="a"><a:p><a:r><a:t>販</a:t></a:r></a:p><c:pt><c:v>{x} 売</c:v></c:pt></c:chartSpace>';
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>書</title><text><tspan>文</tspan></text></svg>';
    const found = warningsOf({
      body: paragraph('{x}'),
      parts: { 'word/charts/chart2.xml': chart, 'word/media/image3.svg': svg },
      contentTypes: { 'word/charts/chart2.xml': type('drawingml.chart'), svg: 'image/svg+xml' },
    });
    expect(
      found.map(({ part, font, characters }) => [part, font, characters?.map(({ character }) => character)]),
    ).toEqual([
      ['chart 2', undefined, ['販', '売']],
      ['SVG picture 3', undefined, ['文']],
    ]);
  });

  const [drawingTag, wordTag] = ['drawingml', 'wordprocessingml'];
  const chartWith = (inner: string, more: DocxInput = {}, fonts = printable) =>
    warningsOf(
      {
        ...more,
        body: paragraph('{x}'),
        parts: {
          ...more.parts,
          'word/charts/chart1.xml': `<c:chartSpace xmlns:c="c" xmlns:a="a">${inner}</c:chartSpace>`,
        },
        contentTypes: { ...more.contentTypes, 'word/charts/chart1.xml': type(`${drawingTag}.chart`) },
      },
      {},
      fonts,
    );

  it('of charts has the fonts of its runs, their paragraphs and the theme', () => {
    const titled = (paragraphs: string) => `<c:title><c:tx><c:rich>${paragraphs}</c:rich></c:tx></c:title>`;
    const theme =
      '<a:theme xmlns:a="a"><a:fontScheme><a:majorFont/><a:minorFont><a:latin typeface="Themed"/></a:minorFont></a:fontScheme></a:theme>';
    const found = chartWith(
      titled(
        '<a:p><a:pPr><a:defRPr><a:latin typeface="Latin"/><a:ea typeface="Asian"/></a:defRPr></a:pPr><a:r><a:t>販</a:t></a:r><a:r><a:rPr><a:ea typeface="Own"/></a:rPr><a:t>売</a:t></a:r></a:p>' +
          '<a:p><a:r><a:rPr><a:latin typeface="+mn-lt"/></a:rPr><a:t>Ж</a:t></a:r></a:p><a:p><a:r><a:t>高</a:t></a:r></a:p>',
      ),
      {
        parts: { 'word/theme/theme1.xml': theme },
        contentTypes: { 'word/theme/theme1.xml': 'application/vnd.openxmlformats-officedocument.theme+xml' },
      },
    );
    expect(found.map(({ font, characters }) => [font, characters?.map(({ character }) => character).join('')])).toEqual(
      [
        ['Asian', '販'],
        ['Own', '売'],
        ['Themed', 'Ж'],
        [undefined, '高'],
      ],
    );
  });

  it('of charts is checked in categories, values, names of series and number formats, once for each place', () => {
    const cache = (value: string) => `<c:strCache><c:pt idx="0"><c:v>${value}</c:v></c:pt></c:strCache>`;
    const found = chartWith(
      `<c:ser><c:tx><c:strRef>${cache('列')}</c:strRef></c:tx><c:cat>${cache('春')}</c:cat><c:val><c:numRef><c:numCache><c:formatCode>0 "円"</c:formatCode><c:pt idx="0"><c:v>1</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser><c:valAx><c:numFmt formatCode="0&quot;個&quot;"/></c:valAx>`,
    );
    expect(found).toMatchObject([{ part: 'chart 1', count: 4 }]);
    expect(found[0]?.characters?.map(({ character }) => character)).toEqual(['列', '春', '円', '個']);
  });

  it('of shapes in charts and of diagrams without a drawing is checked', () => {
    const text = (value: string) => `<a:p xmlns:a="a"><a:r><a:t>${value}</a:t></a:r></a:p>`;
    const parts = {
      'word/drawings/drawing4.xml': `<c:userShapes xmlns:c="c">${text('形')}</c:userShapes>`,
      'word/diagrams/data5.xml': `<dgm:dataModel xmlns:dgm="d">${text('図')}</dgm:dataModel>`,
    };
    const contentTypes = {
      'word/drawings/drawing4.xml': type(`${drawingTag}.chartshapes`),
      'word/diagrams/data5.xml': type(`${drawingTag}.diagramData`),
    };
    const placesOf = (input: DocxInput) => warningsOf({ body: paragraph('{x}'), ...input }).map(({ part }) => part);
    expect(placesOf({ parts, contentTypes })).toEqual(['chart 4', 'diagram 5']);
    expect(
      placesOf({
        parts: { ...parts, 'word/diagrams/drawing5.xml': `<dsp:drawing xmlns:dsp="d">${text('x')}</dsp:drawing>` },
        contentTypes: {
          ...contentTypes,
          'word/diagrams/drawing5.xml': 'application/vnd.ms-office.drawingml.diagramDrawing+xml',
        },
      }),
    ).toEqual(['chart 4']);
  });

  it('of WordArt is checked, with its font', () => {
    const art = `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textpath style="font-family:&quot;Kai&quot;;font-size:1pt" string="社外秘 {x}"/></v:shape></w:pict></w:r></w:p>`;
    expect(warningsOf({ body: paragraph('{x}'), headers: [art] })).toMatchObject([
      { part: 'header 1', font: 'Kai', characters: [{ character: '社' }, { character: '外' }, { character: '秘' }] },
    ]);
  });

  it('is not checked in comments and alternative texts, which are not printed', () => {
    const comments = `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="0"><w:p><w:r><w:t>注</w:t></w:r></w:p></w:comment></w:comments>`;
    const named =
      '<w:p><w:r><w:drawing><wp:docPr xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" id="1" name="画" descr="絵"/></w:drawing></w:r></w:p>';
    expect(
      missing({
        body: paragraph('{x}') + named,
        parts: { 'word/comments.xml': comments },
        contentTypes: { 'word/comments.xml': type(`${wordTag}.comments`) },
      }),
    ).toEqual([]);
  });

  it('is covered by fonts of the account that it names', () => {
    const families = [{ names: ['kai'], alias: 'docmill1', styles: ['regular' as const], coverage: [0x4e00, 0x9fff] }];
    const chart = (font: string) =>
      `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:pt><c:v>春{x}</c:v></c:pt><c:txPr><a:p><a:pPr><a:defRPr><a:latin typeface="${font}"/></a:defRPr></a:pPr></a:p></c:txPr></c:chartSpace>`;
    const warningsWith = (font: string) =>
      renderTemplate(
        prepareTemplate(
          buildDocx({
            body: paragraph('{x}'),
            parts: { 'word/charts/chart1.xml': chart(font) },
            contentTypes: { 'word/charts/chart1.xml': type(`${drawingTag}.chart`) },
          }),
          'pdf',
        ),
        Buffer.from('{"x":1}'),
        {},
        { printable, accountFonts: families },
      ).warnings.map(({ part }) => part);
    expect(warningsWith('Kai')).toEqual([]);
    expect(warningsWith('Song')).toEqual(['chart 1']);
  });

  it('of lists is checked in the numberings that paragraphs or styles use', () => {
    const level = (id: number, text: string) =>
      `<w:abstractNum w:abstractNumId="${id}"><w:lvl w:ilvl="0"><w:lvlText w:val="${text}"/><w:rPr><w:rFonts w:ascii="Bullets ${id}" w:hAnsi="Bullets ${id}"/></w:rPr></w:lvl></w:abstractNum>`;
    const numbering = `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${level(0, '➤')}${level(1, '❖')}<w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="6"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
    const body =
      '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="5"/></w:numPr></w:pPr><w:r><w:t>{x}</w:t></w:r></w:p>';
    expect(
      warningsOf({
        body,
        parts: { 'word/numbering.xml': numbering },
        contentTypes: { 'word/numbering.xml': type('wordprocessingml.numbering') },
        rels: [{ id: 'rIdN', type: 'numbering', target: 'numbering.xml' }],
      }),
    ).toMatchObject([{ part: 'numbering', font: 'Bullets 0', characters: [{ character: '➤' }], count: 1 }]);
  });
});

describe('the upload of a template', () => {
  const reported = (input: DocxInput, fonts: InspectionOptions = { printable }) =>
    inspectTemplate(buildDocx(input), fonts).warnings.filter(({ code }) => code === 'missing_glyph');

  it('reports the characters of its own text, with the place', () => {
    const found = reported({ body: paragraph('請 {x}'), headers: [paragraph('ก {y}')] });
    expect(found).toMatchObject([
      { part: 'body', font: 'Carlito', context: '請 {x}', count: 1 },
      { part: 'header 1', characters: [{ codePoint: 'U+0E01' }] },
    ]);
    expect(found[0]?.message).toBe(
      'No installed font has 請 (U+8ACB). An empty box is printed instead, once in the body, in text of the font Carlito.',
    );
  });

  it('does not report what only its tags say, however Word splits them', () => {
    const split =
      '<w:p><w:r><w:t>{#x == "</w:t></w:r><w:r><w:t>中"}</w:t></w:r><w:r><w:t>文{/x == "中"}</w:t></w:r></w:p>';
    expect(reported({ body: split }).flatMap(({ characters = [] }) => characters)).toEqual([
      { character: '文', codePoint: 'U+6587' },
    ]);
  });

  it('does not report what the fonts of the account have, or without a list of fonts', () => {
    const body = `<w:p><w:r><w:rPr><w:rFonts w:eastAsia="Kai"/></w:rPr><w:t>中{x}</w:t></w:r></w:p>`;
    const kai = { names: ['kai'], alias: 'docmill1', styles: ['regular' as const], coverage: [0x4e00, 0x9fff] };
    expect(reported({ body })).toHaveLength(1);
    expect(reported({ body }, { printable, accountFonts: [kai] })).toEqual([]);
    expect(reported({ body }, {})).toEqual([]);
  });
});

describe('symbols of Word', () => {
  const symbol = (font: string, char: string) =>
    `<w:p><w:r><w:sym w:font="${font}" w:char="${char}"/></w:r><w:r><w:t>{x}</w:t></w:r></w:p>`;

  it('are printed with OpenSymbol and not reported', () => {
    expect(missing({ body: symbol('Wingdings', 'F0FC') + symbol('Symbol', 'F0B7') })).toEqual([]);
  });

  it('are reported in other fonts', () => {
    expect(warningsOf({ body: symbol('Company Icons', 'F0FC') })).toMatchObject([
      { font: 'Company Icons', characters: [{ codePoint: 'U+F0FC' }] },
    ]);
  });
});

describe('the scan of bytes', () => {
  it('finds a character at any offset, however the bytes are aligned', () => {
    for (let shift = 0; shift < 8; shift++) {
      for (let before = 0; before < 12; before++) {
        for (const [text, isFound] of [
          ['é', false],
          ['中', true],
          ['😀', true],
          ['&#x4e2d;', true],
          ['&#233;', false],
        ] as const) {
          const bytes = Buffer.from(`${'-'.repeat(shift)}${'a'.repeat(before)}${text}aé`).subarray(shift);
          expect([before, text, hasUnprintable(bytes, printable)]).toEqual([before, text, isFound]);
        }
      }
    }
  });
});

describe('sets of code points', () => {
  it('are read from the ranges that fontconfig writes', () => {
    expect(parseRanges('20-7e a0-17f 2c6 nonsense 110000-110001')).toEqual([0x20, 0x7e, 0xa0, 0x17f, 0x2c6, 0x2c6]);
    expect(
      mergeRanges([
        [0x30, 0x39],
        [0x20, 0x2f, 0x35, 0x40],
        [0x50, 0x50],
      ]),
    ).toEqual([0x20, 0x40, 0x50, 0x50]);
  });

  it('have exactly the code points of their ranges', () => {
    const ranges = [1, 1, 7, 17, 64, 64, 0x10fff0, 0x10ffff];
    const set = new CodePointSet(ranges);
    const has = (code: number) =>
      ranges.some((first, i) => i % 2 === 0 && first <= code && code <= (ranges[i + 1] ?? -1));
    for (let code = 0; code < 100; code++) expect([code, set.has(code)]).toEqual([code, has(code)]);
    expect([0x10ffef, 0x10fff0, 0x10ffff, 0x110000].map((code) => set.has(code))).toEqual([false, true, true, false]);
  });

  it('hold every character that Unicode ignores by default', () => {
    const none = new PrintableCharacters('none', []);
    const wrong: string[] = [];
    for (let code = 0; code < 0x110000; code++) {
      if (/\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code)) && !none.has(code))
        wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});
