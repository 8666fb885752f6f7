import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSvgEngine, openSvg } from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import { fontsOfDrawing, setDrawingFaces } from '../../../../src/worker/docx/core/pictures/svg-fonts.ts';
import { listInstalledFonts } from '../../../../src/worker/pdf/office/installed-fonts.ts';
import { errorOf, render } from '../render/fill.ts';

beforeAll(async () => {
  await loadSvgEngine();
  setDrawingFaces((await listInstalledFonts())?.coverage.faces ?? []);
});
afterAll(() => setDrawingFaces([]));

const svg = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60" font-size="30">${inner}</svg>`);
const prepared = (inner: string) => fontsOfDrawing(svg(inner));
const pixelsOf = (text: string) => Buffer.from(openSvg(svg(`<text x="5" y="40">${text}</text>`)).toPng(400));

describe('the text in an SVG picture', () => {
  it.each(['请签收', 'ください', '한국어', 'ไทย', 'हिन्दी', 'العربية', 'שלום', 'Ж≤☎'])(
    '%s is drawn with a font that has it',
    (text) => {
      expect(prepared(`<text>${text}</text>`).missing).toEqual([]);
      const drawn = pixelsOf(text);
      expect(drawn.equals(pixelsOf('\u{10fff0}'.repeat([...text].length)))).toBe(false);
      // Two strings in one script look different, unless both are drawn as empty boxes.
      expect(drawn.equals(pixelsOf([...text].reverse().join('')))).toBe(false);
    },
  );

  it('loads fonts beyond Liberation only for characters that it draws', () => {
    const plain = { fonts: [], missing: [] };
    expect(prepared('<text>Größe Ж ≤ 12 €</text><desc>述</desc><rect id="骨"/>')).toEqual(plain);
    expect(prepared('<text>a<title>题</title>\u200b\u200e\ufe0f</text>')).toEqual(plain);
    expect(prepared('<text>&#x9AA8;</text>').fonts).toHaveLength(1);
    expect(prepared('<text><![CDATA[骨]]> \u{10fff0}\u{10fff0}</text>')).toMatchObject({ missing: ['\u{10fff0}'] });
  });

  it('is drawn with the fonts that it names, also in bold', () => {
    expect(prepared('<text font-family="Noto Serif CJK JP">骨</text>').fonts).toHaveLength(1);
    expect(prepared('<text font-family="Noto Serif, serif" font-weight="bold">A</text>').fonts).toHaveLength(2);
    expect(prepared('<text font-family="Noto Serif CJK">A</text>').fonts).toHaveLength(0);
  });

  it('loads a limited number of fonts', () => {
    const all = ['Noto Sans CJK JP', 'Noto Serif CJK JP', 'Noto Sans Thai', 'Noto Sans SignWriting'].join(', ');
    const { fonts } = prepared(`<text font-family="${all}" font-weight="bold">骨 ไทย हि</text>`);
    expect(fonts.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(48 * 1024 * 1024);
  });
});

describe("characters in the data's SVG pictures that no font has", () => {
  const fill = (target: 'docx' | 'pdf', onMissingGlyph: 'warn' | 'error', text: string) => {
    const picture = svg(`<text>${text}</text>`).toString('base64');
    const data = { logo: picture, other: { data: { data: picture } } };
    return render('{%logo}{%other.data}', data, { target, onMissingGlyph });
  };
  const expected = {
    part: 'SVG picture',
    characters: [{ character: '\u{10fff0}', codePoint: 'U+10FFF0' }],
    paths: ['data.logo', 'data.other.data.data'],
    count: 2,
  };

  it.each(['docx', 'pdf'] as const)('cause a warning for a %s, with the paths', (target) => {
    const { warnings } = fill(target, 'warn', 'A \u{10fff0}请');
    expect(warnings).toMatchObject([{ code: 'missing_glyph', ...expected }]);
    expect(fill(target, 'warn', 'A 请 ไทย').warnings).toEqual([]);
  });

  it('refuse a PDF when the request asks for it', () => {
    const error = errorOf(() => fill('pdf', 'error', '\u{10fff0}'));
    expect(error).toMatchObject({ code: 'missing_glyph', details: [expected] });
  });
});

it('the list of installed fonts has faces with outlines, upright, regular or bold', async () => {
  const faces = (await listInstalledFonts())?.coverage.faces ?? [];
  const families = new Set(faces.map(({ family }) => family));
  expect([...families]).toEqual(expect.arrayContaining(['Liberation Sans', 'Noto Sans CJK JP', 'Noto Sans Thai']));
  expect(families.has('Noto Color Emoji')).toBe(false);
  expect(faces.filter(({ file }) => /(?<!Old)Italic|Oblique|Condensed|Narrow/.test(file))).toEqual([]);
});
