import { UnknownFeature } from '../unknown-feature.ts';
import type { LineRule } from './document-tree.ts';

/** What an element of properties sets (ECMA-376 part 1, 17.3.1.26 and 17.3.2.28); what is undefined is inherited. */
export interface TextProperties {
  readonly family?: string;
  readonly halfPoints?: number;
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  readonly before?: number;
  readonly after?: number;
  readonly line?: number;
  readonly lineRule?: LineRule;
  readonly left?: number;
  readonly right?: number;
  readonly firstLine?: number;
  readonly hasContextualSpacing?: boolean;
  readonly hasWidowControl?: boolean;
  readonly keepsLines?: boolean;
}

/** The attributes of an element by their local names. */
export type Attributes = ReadonlyMap<string, string>;
/** Finds the font of a theme by a value of ST_Theme. */
export type ThemeFont = (name: string) => string | undefined;

type Reader = (attributes: Attributes, themeFont: ThemeFont) => TextProperties;

const nothing: TextProperties = {};
const ignore: Reader = () => nothing;
const unless = (isHarmless: (attributes: Attributes) => boolean, name: string): Reader => {
  return (attributes) => {
    if (isHarmless(attributes)) return nothing;
    throw new UnknownFeature(name);
  };
};
const isOff = (attributes: Attributes): boolean => /^(?:0|false|off)$/.test(attributes.get('val') ?? '');
const isZero = (attributes: Attributes): boolean => attributes.get('val') === '0';

const readers: Readonly<Record<string, Reader>> = {
  rFonts: readFonts,
  sz: (attributes) => ({ halfPoints: readNumber(attributes, 'val', 2, 400) }),
  b: (attributes) => ({ isBold: !isOff(attributes) }),
  i: (attributes) => ({ isItalic: !isOff(attributes) }),
  spacing: readSpacing,
  ind: readIndent,
  contextualSpacing: (attributes) => ({ hasContextualSpacing: !isOff(attributes) }),
  widowControl: (attributes) => ({ hasWidowControl: !isOff(attributes) }),
  keepLines: (attributes) => ({ keepsLines: !isOff(attributes) }),
  keepNext: unless(isOff, 'keepNext'),
  pageBreakBefore: unless(isOff, 'pageBreakBefore'),
  bidi: unless(isOff, 'bidi'),
  rtl: unless(isOff, 'rtl'),
  caps: unless(isOff, 'caps'),
  smallCaps: unless(isOff, 'smallCaps'),
  vanish: unless(isOff, 'vanish'),
  specVanish: unless(isOff, 'specVanish'),
  position: unless(isZero, 'position'),
  kern: unless(isZero, 'kern'),
  outlineLvl: ignore,
  vertAlign: unless((attributes) => attributes.get('val') === 'baseline', 'vertAlign'),
  jc: ignore,
  ...Object.fromEntries(
    (
      'bCs iCs szCs u color highlight shd lang strike dstrike noProof webHidden suppressAutoHyphens suppressLineNumbers ' +
      'adjustRightInd autoSpaceDE autoSpaceDN overflowPunct kinsoku wordWrap snapToGrid topLinePunct textAlignment ' +
      'suppressOverlap mirrorIndents cs rPr pStyle rStyle divId cnfStyle'
    )
      .split(' ')
      .map((name) => [name, ignore]),
  ),
};

/** What one child of `w:pPr` or `w:rPr` sets. Throws UnknownFeature for one that may change the layout otherwise. */
export function readProperty(local: string, attributes: Attributes, themeFont: ThemeFont): TextProperties {
  const read = Object.hasOwn(readers, local) ? readers[local] : undefined;
  if (read === undefined) throw new UnknownFeature(local);
  return read(attributes, themeFont);
}

function readFonts(attributes: Attributes, themeFont: ThemeFont): TextProperties {
  const nameOf = (slot: string): string | undefined =>
    themeFont(attributes.get(`${slot}Theme`) ?? '') ?? (attributes.get(slot) || undefined);
  const [ascii, other] = [nameOf('ascii'), nameOf('hAnsi')];
  if (ascii !== other && other !== undefined) throw new UnknownFeature('two fonts in one run');
  return ascii === undefined ? nothing : { family: ascii };
}

function readSpacing(attributes: Attributes): TextProperties {
  // The same name has another meaning in properties of characters (17.3.2.35).
  if (attributes.has('val')) return unless(isZero, 'spacing of characters')(attributes, () => undefined);
  for (const name of ['beforeLines', 'afterLines']) {
    if ((attributes.get(name) ?? '0') !== '0') throw new UnknownFeature(name);
  }
  for (const name of ['beforeAutospacing', 'afterAutospacing']) {
    if (!/^(?:0|false|off)$/.test(attributes.get(name) ?? '0')) throw new UnknownFeature(name);
  }
  const rule = attributes.get('lineRule') ?? 'auto';
  if (rule !== 'auto' && rule !== 'exact' && rule !== 'atLeast') throw new UnknownFeature(`lineRule ${rule}`);
  return {
    ...(attributes.has('before') && { before: readNumber(attributes, 'before', 0, 31_680) }),
    ...(attributes.has('after') && { after: readNumber(attributes, 'after', 0, 31_680) }),
    ...(attributes.has('line') && { line: readNumber(attributes, 'line', 1, 31_680), lineRule: rule }),
  };
}

function readIndent(attributes: Attributes): TextProperties {
  for (const name of attributes.keys()) {
    if (name.endsWith('Chars') && attributes.get(name) !== '0') throw new UnknownFeature(name);
  }
  const [left, right] = [attributes.has('left') ? 'left' : 'start', attributes.has('right') ? 'right' : 'end'];
  const limit = 31_680;
  return {
    ...(attributes.has(left) && { left: readNumber(attributes, left, -limit, limit) }),
    ...(attributes.has(right) && { right: readNumber(attributes, right, -limit, limit) }),
    ...(attributes.has('firstLine') && { firstLine: readNumber(attributes, 'firstLine', 0, limit) }),
    ...(attributes.has('hanging') && { firstLine: -readNumber(attributes, 'hanging', 0, limit) }),
  };
}

/** A whole number of an attribute. Throws UnknownFeature for anything else. */
export function readNumber(attributes: Attributes, name: string, least: number, most: number): number {
  const text = attributes.get(name) ?? '';
  const value = Number(text);
  if (!/^-?\d{1,6}$/.test(text) || value < least || value > most) throw new UnknownFeature(`${name}="${text}"`);
  return value;
}
