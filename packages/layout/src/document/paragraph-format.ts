import { UnknownFeature } from '../unknown-feature.ts';
import type { Attempt } from './attempt.ts';
import { readBorderLines, widthOfLines } from './border-lines.ts';
import { readShading } from './run-format.ts';
import type { Border, ParagraphFormat, TabStop } from './tree.ts';
import { allowAttributes, isOn, wholeNumber, type XmlElement } from './xml-element.ts';

/** The part of the inherited format that affects the meaning of a `w:pPr`. */
export type InheritedFormat = Pick<ParagraphFormat, 'tabs' | 'numbering' | 'hasAutoBefore' | 'hasAutoAfter'>;

type Reader = (element: XmlElement, inherited: InheritedFormat) => Partial<ParagraphFormat>;

export const nothingInherited: InheritedFormat = {
  tabs: [],
  numbering: { id: '0', level: 0 },
  hasAutoBefore: false,
  hasAutoAfter: false,
};

const longest = 31_680;
const nothing: Partial<ParagraphFormat> = {};
const ignore: Reader = () => nothing;
const unlessOn: Reader = (element) => {
  if (isOn(element)) throw new UnknownFeature(element.name);
  return nothing;
};

/** The children of `w:pPr` (ECMA-376 part 1, 17.3.1.26). */
const readers: Readonly<Record<string, Reader>> = {
  'w:jc': readAlignment,
  'w:spacing': readSpacing,
  'w:ind': readIndent,
  'w:contextualSpacing': (element) => ({ hasContextualSpacing: isOn(element) }),
  'w:widowControl': (element) => ({ hasWidowControl: isOn(element) }),
  'w:keepLines': (element) => ({ keepsLines: isOn(element) }),
  'w:keepNext': (element) => ({ keepsWithNext: isOn(element) }),
  'w:pageBreakBefore': (element) => ({ breaksPageBefore: isOn(element) }),
  'w:suppressAutoHyphens': (element) => ({ keepsWords: isOn(element) }),
  'w:shd': (element) => ({ shading: readShading(element) }),
  'w:pBdr': readBorders,
  'w:outlineLvl': readOutlineLevel,
  'w:numPr': readNumbering,
  'w:tabs': (element, inherited) => ({ tabs: readTabs(element, inherited.tabs) }),
  'w:bidi': unlessOn,
  'w:mirrorIndents': unlessOn,
  'w:suppressLineNumbers': ignore,
  'w:textAlignment': (element) => {
    // In left-to-right lines, `auto` means the base line.
    if (!/^(?:auto|baseline)$/.test(element.attributes.get('w:val') ?? '')) throw new UnknownFeature('w:textAlignment');
    return nothing;
  },
  ...Object.fromEntries(
    (
      'w:adjustRightInd w:autoSpaceDE w:autoSpaceDN w:overflowPunct w:kinsoku w:wordWrap ' +
      'w:snapToGrid w:topLinePunct w:suppressOverlap w:divId w:cnfStyle'
    )
      .split(' ')
      .map((name) => [name, ignore]),
  ),
};
const elsewhere: ReadonlySet<string> = new Set(['w:pStyle', 'w:rPr', 'w:sectPr']);

/**
 * The format that a `w:pPr` sets; anything else is inherited. It adds to the inherited tab stops, and may name only the
 * list or only its level. Throws UnknownFeature for an unknown child.
 */
export function readParagraphFormat(
  properties: XmlElement | undefined,
  inherited: InheritedFormat,
  attempt: Attempt,
): Partial<ParagraphFormat> {
  let format: Partial<ParagraphFormat> = {};
  for (const child of properties?.children ?? []) {
    if (elsewhere.has(child.name)) continue;
    format = {
      ...format,
      ...attempt(
        () => readProperty(child, inherited),
        () => nothing,
      ),
    };
  }
  return format;
}

function readProperty(element: XmlElement, inherited: InheritedFormat): Partial<ParagraphFormat> {
  const read = readers[element.name];
  if (read === undefined) throw new UnknownFeature(element.name);
  return read(element, inherited);
}

const alignments: Readonly<Record<string, ParagraphFormat['alignment']>> = {
  left: 'left',
  start: 'left',
  center: 'center',
  right: 'right',
  end: 'right',
  both: 'both',
};

function readAlignment(element: XmlElement): Partial<ParagraphFormat> {
  allowAttributes(element, 'w:val');
  const value = element.attributes.get('w:val') ?? '';
  const alignment = alignments[value];
  if (alignment === undefined) throw new UnknownFeature(`w:jc ${value.slice(0, 20)}`);
  return { alignment };
}

const off = /^(?:0|false|off)$/;

function readSpacing(element: XmlElement, inherited: InheritedFormat): Partial<ParagraphFormat> {
  const { attributes } = element;
  for (const name of ['w:beforeLines', 'w:afterLines']) {
    if ((attributes.get(name) ?? '0') !== '0') throw new UnknownFeature(name);
  }
  const rule = attributes.get('w:lineRule') ?? 'auto';
  if (rule !== 'auto' && rule !== 'exact' && rule !== 'atLeast') throw new UnknownFeature(`w:lineRule ${rule}`);
  return {
    ...(attributes.has('w:before') && { before: wholeNumber(element, 'w:before', 0, longest) }),
    ...(attributes.has('w:after') && { after: wholeNumber(element, 'w:after', 0, longest) }),
    ...(attributes.has('w:beforeAutospacing') && {
      hasAutoBefore: isAutomatic(element, 'w:before', inherited.hasAutoBefore),
    }),
    ...(attributes.has('w:afterAutospacing') && {
      hasAutoAfter: isAutomatic(element, 'w:after', inherited.hasAutoAfter),
    }),
    ...(attributes.has('w:line') && { line: wholeNumber(element, 'w:line', 1, longest), lineRule: rule }),
  };
}

function isAutomatic({ attributes }: XmlElement, side: string, isInherited: boolean): boolean {
  const isOff = off.test(attributes.get(`${side}Autospacing`) ?? '');
  if (isOff && isInherited && !attributes.has(side)) throw new UnknownFeature(`${side}Autospacing turned off`);
  return !isOff;
}

function readIndent(element: XmlElement): Partial<ParagraphFormat> {
  const { attributes } = element;
  for (const [name, value] of attributes) {
    if (name.endsWith('Chars') && value !== '0') throw new UnknownFeature(name);
  }
  const left = attributes.has('w:left') ? 'w:left' : 'w:start';
  const right = attributes.has('w:right') ? 'w:right' : 'w:end';
  return {
    ...(attributes.has(left) && { left: wholeNumber(element, left, -longest, longest) }),
    ...(attributes.has(right) && { right: wholeNumber(element, right, -longest, longest) }),
    ...(attributes.has('w:firstLine') && { firstLine: wholeNumber(element, 'w:firstLine', 0, longest) }),
    ...(attributes.has('w:hanging') && { firstLine: 0 - wholeNumber(element, 'w:hanging', 0, longest) }),
  };
}

function readOutlineLevel(element: XmlElement): Partial<ParagraphFormat> {
  const level = wholeNumber(element, 'w:val', 0, 9);
  return { outlineLevel: level === 9 ? undefined : level };
}

function readNumbering(element: XmlElement, { numbering }: InheritedFormat): Partial<ParagraphFormat> {
  let { level } = numbering;
  let id: string | undefined;
  for (const child of element.children) {
    if (child.name === 'w:numId') id = child.attributes.get('w:val') ?? '0';
    else if (child.name === 'w:ilvl') level = wholeNumber(child, 'w:val', 0, 8);
    else throw new UnknownFeature(child.name);
  }
  if (id === undefined && numbering.id !== '0') throw new UnknownFeature('another level of a list');
  return { numbering: { id: id ?? '0', level } };
}

const leaders: Readonly<Record<string, TabStop['leader']>> = {
  none: '',
  dot: '.',
  hyphen: '-',
  underscore: '_',
  heavy: '_',
  middleDot: '·',
};
const tabKinds: Readonly<Record<string, TabStop['alignment']>> = {
  left: 'left',
  start: 'left',
  num: 'left',
  center: 'center',
  right: 'right',
  end: 'right',
  decimal: 'decimal',
  clear: 'clear',
};

function readTabs(element: XmlElement, inherited: readonly TabStop[]): readonly TabStop[] {
  const stops = new Map(inherited.map((stop) => [stop.position, stop]));
  for (const child of element.children) {
    allowAttributes(child, 'w:val', 'w:pos', 'w:leader');
    const position = wholeNumber(child, 'w:pos', -longest, longest);
    const alignment = tabKinds[child.attributes.get('w:val') ?? ''];
    const leader = leaders[child.attributes.get('w:leader') ?? 'none'];
    if (child.name !== 'w:tab' || alignment === undefined || leader === undefined)
      throw new UnknownFeature(`${child.name} ${child.attributes.get('w:val')?.slice(0, 20)}`);
    if (alignment === 'clear') stops.delete(position);
    else stops.set(position, { position, alignment, leader });
  }
  return [...stops.values()].toSorted((a, b) => a.position - b.position);
}

const sides: Readonly<Record<string, 'borderTop' | 'borderBottom' | 'borderLeft' | 'borderRight'>> = {
  'w:top': 'borderTop',
  'w:bottom': 'borderBottom',
  'w:left': 'borderLeft',
  'w:right': 'borderRight',
};

function readBorders(element: XmlElement): Partial<ParagraphFormat> {
  const borders: { [K in 'borderTop' | 'borderBottom' | 'borderLeft' | 'borderRight']?: Border | undefined } = {};
  for (const child of element.children) {
    const border = readBorder(child);
    const side = sides[child.name];
    if (side !== undefined) borders[side] = border;
    else if (border !== undefined) throw new UnknownFeature(`${child.name} of a paragraph`);
  }
  return borders;
}

const borderAttributes = [
  'val',
  'sz',
  'space',
  'color',
  'themeColor',
  'themeTint',
  'themeShade',
  'shadow',
  'frame',
].map((name) => `w:${name}`);

/**
 * A border (17.3.4), with its width (in eighths of a point) and its space (in points) converted to twips. Undefined for
 * no border.
 */
export function readBorder(element: XmlElement): Border | undefined {
  allowAttributes(element, ...borderAttributes);
  for (const name of ['w:shadow', 'w:frame'])
    if (!off.test(element.attributes.get(name) ?? '0')) throw new UnknownFeature(name);
  const kind = element.attributes.get('w:val') ?? 'none';
  if (kind === 'nil' || kind === 'none') return undefined;
  const lines = readBorderLines(element, 0);
  return {
    width: widthOfLines(lines),
    lines,
    space: element.attributes.has('w:space') ? wholeNumber(element, 'w:space', 0, 31) * 20 : 0,
    color: readBorderColor(element),
  };
}

/** As RRGGBB. The automatic colour of a border is black. */
export function readBorderColor(element: XmlElement): string {
  const color = element.attributes.get('w:color') ?? 'auto';
  if (color === 'auto' && element.attributes.has('w:themeColor'))
    throw new UnknownFeature('a colour of the theme alone');
  if (color !== 'auto' && !/^[0-9a-f]{6}$/i.test(color)) throw new UnknownFeature('the colour of a border');
  return color === 'auto' ? '000000' : color.toUpperCase();
}
