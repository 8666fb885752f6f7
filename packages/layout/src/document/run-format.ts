import { UnknownFeature } from '../unknown-feature.ts';
import type { Attempt } from './attempt.ts';
import type { RunFormat } from './tree.ts';
import { allowAttributes, isOn, wholeNumber, type XmlElement } from './xml-element.ts';

/** The parts of themes and document settings that affect formats. */
export interface FormatContext {
  themeFont(name: string): string | undefined;
  readonly attempt: Attempt;
}

type Reader = (element: XmlElement, context: FormatContext) => Partial<RunFormat>;

const nothing: Partial<RunFormat> = {};
const ignore: Reader = () => nothing;
const unlessOn: Reader = (element) => {
  if (isOn(element)) throw new UnknownFeature(element.name);
  return nothing;
};
const unlessZero: Reader = (element) => {
  if (element.attributes.get('w:val') !== '0') throw new UnknownFeature(element.name);
  return nothing;
};

/** ST_HighlightColor (17.18.40). */
const highlights: Readonly<Record<string, string>> = {
  black: '000000',
  blue: '0000FF',
  cyan: '00FFFF',
  green: '00FF00',
  magenta: 'FF00FF',
  red: 'FF0000',
  yellow: 'FFFF00',
  white: 'FFFFFF',
  darkBlue: '000080',
  darkCyan: '008080',
  darkGreen: '008000',
  darkMagenta: '800080',
  darkRed: '800000',
  darkYellow: '808000',
  darkGray: '808080',
  lightGray: 'C0C0C0',
};

/** The children of `w:rPr` (ECMA-376 part 1, 17.3.2.28). */
const readers: Readonly<Record<string, Reader>> = {
  'w:rFonts': readFonts,
  'w:sz': (element) => ({ halfPoints: wholeNumber(element, 'w:val', 2, 400) }),
  'w:b': (element) => ({ isBold: isOn(element) }),
  'w:i': (element) => ({ isItalic: isOn(element) }),
  'w:u': readUnderline,
  'w:strike': (element) => ({ isStruck: isOn(element) }),
  'w:caps': (element) => ({ isUpperCase: isOn(element) }),
  'w:vanish': (element) => ({ isHidden: isOn(element) }),
  'w:color': (element) => ({ color: readColor(element) }),
  'w:shd': (element) => ({ shading: readShading(element) }),
  'w:highlight': readHighlight,
  'w:vertAlign': readPosition,
  // LibreOffice kerns at all sizes if this is not 0.
  'w:kern': (element) => ({ isKerned: wholeNumber(element, 'w:val', 0, 3276) !== 0 }),
  'w:dstrike': unlessOn,
  'w:outline': unlessOn,
  'w:shadow': unlessOn,
  'w:emboss': unlessOn,
  'w:imprint': unlessOn,
  'w:smallCaps': unlessOn,
  'w:specVanish': unlessOn,
  // LibreOffice also hides this text on printed pages.
  'w:webHidden': unlessOn,
  'w:rtl': unlessOn,
  'w:cs': unlessOn,
  'w:spacing': (element) => ({ spacing: wholeNumber(element, 'w:val', -200, 1_000) }),
  'w:position': unlessZero,
  'w:w': (element) => {
    if (element.attributes.get('w:val') !== '100') throw new UnknownFeature(element.name);
    return nothing;
  },
  ...Object.fromEntries(
    'w:bCs w:iCs w:szCs w:lang w:noProof w:snapToGrid w14:ligatures w14:numForm w14:numSpacing w14:cntxtAlts'
      .split(' ')
      .map((name) => [name, ignore]),
  ),
};

/** The format that a `w:rPr` sets; anything else is inherited. Throws UnknownFeature for an unknown child. */
export function readRunFormat(properties: XmlElement | undefined, context: FormatContext): Partial<RunFormat> {
  let format: Partial<RunFormat> = {};
  for (const child of properties?.children ?? []) {
    if (child.name === 'w:rStyle') continue;
    format = {
      ...format,
      ...context.attempt(
        () => readProperty(child, context),
        () => nothing,
      ),
    };
  }
  return format;
}

function readProperty(element: XmlElement, context: FormatContext): Partial<RunFormat> {
  const read = readers[element.name];
  if (read === undefined) throw new UnknownFeature(element.name);
  return read(element, context);
}

function readFonts(element: XmlElement, { themeFont }: FormatContext): Partial<RunFormat> {
  const theme = element.attributes.get('w:asciiTheme');
  if (theme !== undefined && themeFont(theme) === undefined && !element.attributes.has('w:ascii'))
    throw new UnknownFeature('a font of a theme that is missing');
  const nameOf = (slot: string): string | undefined =>
    themeFont(element.attributes.get(`w:${slot}Theme`) ?? '') ?? (element.attributes.get(`w:${slot}`) || undefined);
  const [ascii, other] = [nameOf('ascii'), nameOf('hAnsi')];
  if (ascii !== other && other !== undefined) throw new UnknownFeature('two fonts in one run');
  return ascii === undefined ? nothing : { family: ascii };
}

function readUnderline(element: XmlElement): Partial<RunFormat> {
  allowAttributes(element, 'w:val');
  const kind = element.attributes.get('w:val');
  if (kind !== 'single' && kind !== 'double' && kind !== 'none') throw new UnknownFeature(`w:u ${kind}`);
  return { underline: kind };
}

function readHighlight(element: XmlElement): Partial<RunFormat> {
  const name = element.attributes.get('w:val') ?? '';
  if (name === 'none') return { highlight: undefined };
  const highlight = highlights[name];
  if (highlight === undefined) throw new UnknownFeature(`w:highlight ${name}`);
  return { highlight };
}

function readPosition(element: XmlElement): Partial<RunFormat> {
  const position = element.attributes.get('w:val');
  if (position !== 'baseline' && position !== 'superscript' && position !== 'subscript')
    throw new UnknownFeature(`w:vertAlign ${position}`);
  return { position };
}

const hexColor = /^[0-9a-f]{6}$/i;

/** A colour as RRGGBB, undefined if automatic. Word writes the computed theme colour to `w:val`. */
function readColor(element: XmlElement): string | undefined {
  allowAttributes(element, 'w:val', 'w:themeColor', 'w:themeShade', 'w:themeTint');
  const value = element.attributes.get('w:val') ?? 'auto';
  if (value === 'auto' && element.attributes.has('w:themeColor'))
    throw new UnknownFeature('a colour of the theme alone');
  if (value === 'auto') return undefined;
  if (!hexColor.test(value)) throw new UnknownFeature(`w:color ${value.slice(0, 20)}`);
  return value.toUpperCase();
}

/** The colour of `w:shd` (17.3.5) without a pattern. */
export function readShading(element: XmlElement): string | undefined {
  allowAttributes(element, 'w:val', 'w:color', 'w:fill', 'w:themeFill', 'w:themeFillTint', 'w:themeFillShade');
  const { attributes } = element;
  const pattern = attributes.get('w:val') ?? 'clear';
  if (pattern !== 'clear' && pattern !== 'nil') throw new UnknownFeature(`w:shd ${pattern}`);
  const fill = attributes.get('w:fill') ?? 'auto';
  if (fill === 'auto' && attributes.has('w:themeFill')) throw new UnknownFeature('a colour of the theme alone');
  if (fill === 'auto') return undefined;
  if (!hexColor.test(fill)) throw new UnknownFeature(`w:shd ${fill.slice(0, 20)}`);
  return fill.toUpperCase();
}
