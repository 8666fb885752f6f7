import { describe, expect, it } from 'vitest';
import { usedFonts } from '../../../../src/worker/docx/inspect/used-fonts.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const fontsOf = (input: DocxInput) => usedFonts(openPackage(buildDocx(input)));

function styles(content: string): DocxInput['parts'] {
  return { 'word/styles.xml': `${head}<w:styles ${w}>${content}</w:styles>` };
}

function styled(attributes: string, text = 'text'): string {
  return `<w:p><w:r><w:rPr><w:rFonts ${attributes}/></w:rPr><w:t>${text}</w:t></w:r></w:p>`;
}

const theme = {
  parts: {
    'word/theme/theme1.xml':
      `${head}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:fontScheme>` +
      '<a:majorFont><a:latin typeface="Head Sans"/><a:ea typeface=""/><a:cs typeface="Head Arab"/></a:majorFont>' +
      '<a:minorFont><a:latin typeface="Body Serif"/><a:ea typeface="Body Ming"/><a:cs typeface=""/></a:minorFont>' +
      '</a:fontScheme></a:theme>',
  },
  contentTypes: { 'word/theme/theme1.xml': 'application/vnd.openxmlformats-officedocument.theme+xml' },
};

describe('the fonts of a document', () => {
  it('are those of its runs, in the body and everywhere else', () => {
    const input = {
      body: styled('w:ascii="Body" w:hAnsi="Body Ansi"'),
      headers: [styled('w:ascii="Header"')],
      footnotes: [styled('w:ascii="Note"')],
    };
    expect(fontsOf(input)).toEqual(['Body', 'Body Ansi', 'Carlito', 'Header', 'Note']);
  });

  it('are those of used styles, their base styles and the defaults, but not those of other styles', () => {
    const parts = styles(
      '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Default"/></w:rPr></w:rPrDefault></w:docDefaults>' +
        '<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:rPr><w:rFonts w:ascii="Normal"/></w:rPr></w:style>' +
        '<w:style w:styleId="Base"><w:rPr><w:rFonts w:ascii="Base"/></w:rPr></w:style>' +
        '<w:style w:styleId="Used"><w:basedOn w:val="Base"/><w:rPr><w:rFonts w:ascii="Used"/></w:rPr></w:style>' +
        '<w:style w:styleId="Other"><w:rPr><w:rFonts w:ascii="Other"/></w:rPr></w:style>',
    );
    const body = '<w:p><w:pPr><w:pStyle w:val="Used"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>';
    expect(fontsOf({ body, parts: parts ?? {} })).toEqual(['Base', 'Default', 'Normal', 'Used']);
  });

  it('are resolved through the theme, which takes precedence over a name beside it', () => {
    const body = styled('w:asciiTheme="minorHAnsi" w:ascii="Old" w:hAnsiTheme="majorHAnsi"');
    expect(fontsOf({ ...theme, body })).toEqual(['Body Serif', 'Carlito', 'Head Sans']);
  });

  it('count for East Asian and complex scripts only if there is such text', () => {
    const attributes = 'w:ascii="A" w:eastAsiaTheme="minorEastAsia" w:cstheme="majorBidi"';
    expect(fontsOf({ ...theme, body: styled(attributes) })).toEqual(['A', 'Carlito']);
    expect(fontsOf({ ...theme, body: styled(attributes, '漢字') })).toEqual(['A', 'Body Ming', 'Carlito']);
    expect(fontsOf({ ...theme, body: styled(attributes, 'שלום') })).toEqual(['A', 'Carlito', 'Head Arab']);
  });

  it('include symbols, and Times New Roman if a document names no default', () => {
    const body = '<w:p><w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r></w:p>';
    expect(fontsOf({ body, parts: { 'word/styles.xml': null } })).toEqual(['Times New Roman', 'Wingdings']);
    expect(fontsOf({ body: paragraph('x'), parts: styles('') ?? {} })).toEqual(['Times New Roman']);
  });
});
