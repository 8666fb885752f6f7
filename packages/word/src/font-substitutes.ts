/** The replacements for fonts that are not installed. */
interface Group {
  /** Names as they appear in documents, separated by commas. */
  readonly names: string;
  /** Families with the same widths, best first. */
  readonly sameWidths?: readonly string[];
  /** Families that look similar, best first. */
  readonly similar?: readonly string[];
  /** The fallback if none of these is installed. */
  readonly kind: FontKind;
}

export type FontKind = 'sans' | 'serif' | 'mono' | 'symbol';

/** The fallback fonts of each kind, for fonts without a more specific substitute here. */
export const fontsOfKind: Readonly<Record<FontKind, readonly string[]>> = {
  sans: ['Liberation Sans', 'Arimo', 'Noto Sans', 'DejaVu Sans'],
  serif: ['Liberation Serif', 'Tinos', 'Noto Serif', 'DejaVu Serif'],
  mono: ['Liberation Mono', 'Cousine', 'DejaVu Sans Mono', 'Noto Sans Mono'],
  symbol: [],
};

/**
 * Sources of the widths: the Croscore and Liberation projects, Carlito, Caladea, Gelasio and URW's core fonts. Others
 * are matched by average width.
 */
const groups: readonly Group[] = [
  { names: 'Calibri, Calibri Light, Carlito', sameWidths: ['Carlito'], kind: 'sans' },
  { names: 'Cambria, Caladea', sameWidths: ['Caladea'], kind: 'serif' },
  { names: 'Cambria Math', similar: ['DejaVu Math TeX Gyre', 'Caladea'], kind: 'serif' },
  { names: 'Arial, ArialMT, Arial MT, Arimo', sameWidths: ['Liberation Sans', 'Arimo'], kind: 'sans' },
  { names: 'Helvetica', sameWidths: ['Liberation Sans', 'Nimbus Sans', 'Arimo'], kind: 'sans' },
  { names: 'Arial Narrow, Helvetica Narrow', sameWidths: ['Liberation Sans Narrow'], kind: 'sans' },
  {
    names: 'Times New Roman, TimesNewRoman, TimesNewRomanPSMT, Times New Roman PS, Tinos',
    sameWidths: ['Liberation Serif', 'Tinos'],
    kind: 'serif',
  },
  { names: 'Times', sameWidths: ['Liberation Serif', 'Nimbus Roman', 'Tinos'], kind: 'serif' },
  {
    names: 'Courier New, CourierNew, Courier New PS, Cousine',
    sameWidths: ['Liberation Mono', 'Cousine'],
    kind: 'mono',
  },
  { names: 'Courier', sameWidths: ['Liberation Mono', 'Nimbus Mono PS', 'Cousine'], kind: 'mono' },
  { names: 'Nimbus Sans, Nimbus Sans L', sameWidths: ['Nimbus Sans', 'Liberation Sans', 'Arimo'], kind: 'sans' },
  {
    names: 'Nimbus Roman, Nimbus Roman No9 L',
    sameWidths: ['Nimbus Roman', 'Liberation Serif', 'Tinos'],
    kind: 'serif',
  },
  {
    names: 'Nimbus Mono PS, Nimbus Mono L',
    sameWidths: ['Nimbus Mono PS', 'Liberation Mono', 'Cousine'],
    kind: 'mono',
  },
  { names: 'Georgia, Gelasio', sameWidths: ['Gelasio'], similar: ['Caladea'], kind: 'serif' },
  { names: 'Palatino, Palatino Linotype, Book Antiqua', sameWidths: ['P052'], similar: ['Caladea'], kind: 'serif' },
  {
    names: 'Century Schoolbook, New Century Schoolbook, Century',
    sameWidths: ['C059'],
    similar: ['Caladea'],
    kind: 'serif',
  },
  {
    names: 'Bookman Old Style, Bookman, ITC Bookman',
    sameWidths: ['URW Bookman'],
    similar: ['Noto Serif'],
    kind: 'serif',
  },
  {
    names: 'Century Gothic, Avant Garde, AvantGarde, ITC Avant Garde Gothic',
    sameWidths: ['URW Gothic'],
    similar: ['DejaVu Sans'],
    kind: 'sans',
  },
  // LibreOffice prints their symbols with OpenSymbol. Nearly all are bullets before a tab stop, so their width does not
  // matter.
  { names: 'Symbol, Wingdings, Wingdings 2, Wingdings 3', sameWidths: ['OpenSymbol'], kind: 'symbol' },
  {
    names:
      'Helvetica Neue, HelveticaNeue, Arial Unicode MS, Arial Black, Arial Rounded MT Bold, Microsoft Sans Serif, MS Sans Serif, ' +
      'MS Shell Dlg, MS Shell Dlg 2, Segoe UI, Segoe UI Variable, Tahoma, Trebuchet MS, Aptos, Aptos Display, Inter, Roboto, ' +
      'SF Pro, San Francisco, Univers, Swiss 721, Akzidenz Grotesk, Franklin Gothic, News Gothic, Myriad, Frutiger, Geneva, ' +
      'Swis721, Source Sans, IBM Plex Sans, Work Sans, DIN, Bahnschrift, Futura, Optima, Avenir, Comic Sans MS, Leelawadee UI',
    kind: 'sans',
  },
  { names: 'Open Sans, Noto Sans, Droid Sans, Nunito, Poppins', similar: ['Noto Sans'], kind: 'sans' },
  {
    names: 'Verdana, Lucida Sans, Lucida Sans Unicode, Lucida Grande, Bitstream Vera Sans, Montserrat, Raleway, Eras',
    similar: ['DejaVu Sans'],
    kind: 'sans',
  },
  {
    names:
      'Candara, Corbel, Lato, Gill Sans, Gill Sans MT, Gill Sans Nova, Maiandra GD, Tw Cen MT, PT Sans, Ubuntu, Cantarell',
    similar: ['Carlito'],
    kind: 'sans',
  },
  {
    names:
      'Arial Condensed, Roboto Condensed, Open Sans Condensed, Franklin Gothic Medium Cond, Impact, Haettenschweiler, Oswald',
    similar: ['Liberation Sans Narrow', 'DejaVu Sans Condensed'],
    kind: 'sans',
  },
  {
    names:
      'Garamond, EB Garamond, Adobe Garamond, Minion, Minion Pro, Perpetua, Centaur, Goudy Old Style, Bell MT, Calisto MT, ' +
      'Bodoni MT, Didot, Sylfaen, New York, MS Serif, CG Times, Old Style, Californian FB, High Tower Text, Roman',
    kind: 'serif',
  },
  {
    names:
      'Constantia, Baskerville, Baskerville Old Face, Hoefler Text, Charter, Bitstream Charter, Utopia, Merriweather, Lora, ' +
      'Libre Baskerville, Playfair Display, PT Serif, Source Serif, Lucida Bright, Cooper Black',
    similar: ['Caladea'],
    kind: 'serif',
  },
  {
    names: 'Rockwell, Lucida Fax, Bitstream Vera Serif, Droid Serif',
    similar: ['Noto Serif', 'DejaVu Serif'],
    kind: 'serif',
  },
  {
    names:
      'Consolas, Menlo, Monaco, SF Mono, Lucida Console, Lucida Sans Typewriter, Andale Mono, Cascadia Code, Cascadia Mono, ' +
      'Source Code Pro, Fira Code, Fira Mono, JetBrains Mono, Inconsolata, Roboto Mono, Ubuntu Mono, Bitstream Vera Sans Mono',
    similar: ['DejaVu Sans Mono'],
    kind: 'mono',
  },
  {
    names:
      'Letter Gothic, OCR A Extended, OCRB, Prestige Elite, American Typewriter, Fixedsys, Terminal, QuickType Mono',
    kind: 'mono',
  },
  {
    names:
      'SimSun, NSimSun, 宋体, 新宋体, FangSong, 仿宋, FangSong_GB2312, KaiTi, 楷体, KaiTi_GB2312, STSong, STFangsong, STKaiti',
    similar: ['Noto Serif CJK SC'],
    kind: 'serif',
  },
  {
    names:
      'SimHei, 黑体, Microsoft YaHei, Microsoft YaHei UI, 微软雅黑, DengXian, 等线, STXihei, STHeiti, PingFang SC, Hiragino Sans GB',
    similar: ['Noto Sans CJK SC'],
    kind: 'sans',
  },
  { names: 'MingLiU, PMingLiU, 細明體, 新細明體, DFKai-SB, 標楷體', similar: ['Noto Serif CJK TC'], kind: 'serif' },
  {
    names: 'Microsoft JhengHei, Microsoft JhengHei UI, 微軟正黑體, PingFang TC',
    similar: ['Noto Sans CJK TC'],
    kind: 'sans',
  },
  {
    names:
      'MS Mincho, MS PMincho, ＭＳ 明朝, ＭＳ Ｐ明朝, Yu Mincho, 游明朝, Hiragino Mincho ProN, ヒラギノ明朝 ProN W3',
    similar: ['Noto Serif CJK JP'],
    kind: 'serif',
  },
  {
    names:
      'MS Gothic, MS PGothic, MS UI Gothic, ＭＳ ゴシック, ＭＳ Ｐゴシック, Yu Gothic, 游ゴシック, Meiryo, メイリオ, ' +
      'Hiragino Sans, Hiragino Kaku Gothic ProN, ヒラギノ角ゴ ProN W3',
    similar: ['Noto Sans CJK JP'],
    kind: 'sans',
  },
  { names: 'Batang, BatangChe, 바탕, Gungsuh, GungsuhChe, 궁서', similar: ['Noto Serif CJK KR'], kind: 'serif' },
  {
    names: 'Malgun Gothic, 맑은 고딕, Gulim, GulimChe, 굴림, Dotum, DotumChe, 돋움, Apple SD Gothic Neo',
    similar: ['Noto Sans CJK KR'],
    kind: 'sans',
  },
];

/** Parts of a name that outweigh the rest: "Noto Sans Mono" is not a "Noto Sans". */
const monospacedWords = [' mono', 'monospace', ' code', 'console', 'typewriter', 'courier'];

/** Parts of a name that reveal the kind of a font. The first match decides. */
const kindsByWord: readonly (readonly [word: string, kind: FontKind])[] = [
  ['sans', 'sans'],
  ['grotes', 'sans'],
  ['gothic', 'sans'],
  ['helvetica', 'sans'],
  ['segoe', 'sans'],
  ['serif', 'serif'],
  ['times', 'serif'],
  ['roman', 'serif'],
  ['antiqua', 'serif'],
  ['garamond', 'serif'],
];

/** A rule for font names: `is` matches the whole name, the other kind a part of it. */
export interface SubstituteRule {
  readonly name: string;
  readonly test: 'is' | 'contains';
  readonly fonts: readonly string[];
  /** How many of the fonts, counted from the first, have the same widths. */
  readonly sameWidths: number;
}

/** Shorter names occur in too many others. */
const minPartLength = 5;
const byName: readonly SubstituteRule[] = groups.flatMap(({ names, sameWidths = [], similar = [], kind }) =>
  names.split(/,\s*/).map((name) => ({
    name,
    test: 'is' as const,
    fonts: [...new Set([...sameWidths, ...similar, ...fontsOfKind[kind]])],
    sameWidths: sameWidths.length,
  })),
);
/** Longer names first, because "Arial Narrow Bold" is closer to "Arial Narrow" than to "Arial". */
const byPart: readonly SubstituteRule[] = byName
  .filter(({ name, fonts }) => name.length >= minPartLength && fonts.length > 1)
  .map((rule) => ({ ...rule, test: 'contains' as const, sameWidths: 0 }))
  .sort((a, b) => b.name.length - a.name.length);
const byWord = (name: string, kind: FontKind): SubstituteRule => ({
  name,
  test: 'contains',
  fonts: fontsOfKind[kind],
  sameWidths: 0,
});

/** The rules in order; the first one that matches a name decides. */
export const substituteRules: readonly SubstituteRule[] = [
  ...byName,
  ...monospacedWords.map((word) => byWord(word, 'mono')),
  ...byPart,
  ...kindsByWord.map(([word, kind]) => byWord(word, kind)),
];

/** The first rule that matches a font, ignoring case; undefined if nothing is known about its name. */
export function findSubstituteRule(font: string): SubstituteRule | undefined {
  const key = font.toLowerCase();
  return substituteRules.find(({ name, test }) =>
    test === 'is' ? key === name.toLowerCase() : key.includes(name.toLowerCase()),
  );
}
