import { hexColour } from '../../core/styles/colour.ts';
import type { Alignment, Direction, TextFormat } from './blocks.ts';
import { fontSizeHalfPoints, readStyle } from './css-values.ts';
import { attribute, type DomElement, isElement } from './parse-html.ts';

const formats: ReadonlyMap<string, TextFormat> = new Map<string, TextFormat>([
  ['b', { bold: true }],
  ['strong', { bold: true }],
  ['th', { bold: true }],
  ['i', { italic: true }],
  ['em', { italic: true }],
  ['cite', { italic: true }],
  ['dfn', { italic: true }],
  ['var', { italic: true }],
  ['u', { underline: true }],
  ['ins', { underline: true }],
  ['s', { strike: true }],
  ['strike', { strike: true }],
  ['del', { strike: true }],
  ['sub', { position: 'subscript' }],
  ['sup', { position: 'superscript' }],
  ['mark', { background: 'FFFF00' }],
  ['code', { isCode: true }],
  ['pre', { isCode: true }],
  ['kbd', { isCode: true }],
  ['samp', { isCode: true }],
  ['tt', { isCode: true }],
]);

/** The format inside an element: that of its surroundings, changed by its name and `style`. */
export function formatInside(element: DomElement, around: TextFormat, baseHalfPoints: number): TextFormat {
  const ofName = { ...around, ...formats.get(element.tagName) };
  const direction = directionOf(element);
  const style = attribute(element, 'style');
  const named = direction === undefined ? ofName : { ...ofName, direction };
  const colour = element.tagName === 'font' ? hexColour(attribute(element, 'color') ?? '') : undefined;
  const coloured = colour === undefined ? named : { ...named, colour };
  return style === undefined ? coloured : styled(coloured, readStyle(style), baseHalfPoints);
}

function styled(around: TextFormat, style: ReadonlyMap<string, string>, baseHalfPoints: number): TextFormat {
  const colour = hexColour(style.get('color') ?? '');
  const background = hexColour(style.get('background-color') ?? style.get('background') ?? '');
  const sizeHalfPoints = fontSizeHalfPoints(style.get('font-size') ?? '', around.sizeHalfPoints ?? baseHalfPoints);
  return {
    ...around,
    ...weight(style.get('font-weight')),
    ...slant(style.get('font-style')),
    ...decoration(`${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`),
    ...position(style.get('vertical-align')),
    ...(colour === undefined ? {} : { colour }),
    ...(background === undefined ? {} : { background }),
    ...(sizeHalfPoints === undefined ? {} : { sizeHalfPoints }),
  };
}

function weight(css = ''): TextFormat {
  if (/^(?:bold|bolder|[6-9]00)$/i.test(css)) return { bold: true };
  return /^(?:normal|lighter|[1-5]00)$/i.test(css) ? { bold: false } : {};
}

function slant(css = ''): TextFormat {
  if (/^(?:italic|oblique)\b/i.test(css)) return { italic: true };
  return /^normal$/i.test(css) ? { italic: false } : {};
}

function decoration(css: string): TextFormat {
  if (/\bnone\b/i.test(css)) return { underline: false, strike: false };
  return {
    ...(/\bunderline\b/i.test(css) ? { underline: true } : {}),
    ...(/\bline-through\b/i.test(css) ? { strike: true } : {}),
  };
}

function position(css = ''): TextFormat {
  if (/^sub$/i.test(css)) return { position: 'subscript' };
  return /^super$/i.test(css) ? { position: 'superscript' } : {};
}

const alignments: ReadonlyMap<string, Alignment> = new Map<string, Alignment>([
  ['left', 'left'],
  ['center', 'center'],
  ['right', 'right'],
  ['justify', 'both'],
  ['start', 'start'],
  ['end', 'end'],
]);

/** The alignment that an element sets for its paragraphs, if any. */
export function alignmentOf(element: DomElement): Alignment | undefined {
  const style = readStyle(attribute(element, 'style') ?? '').get('text-align');
  const name = style ?? attribute(element, 'align') ?? (element.tagName === 'center' ? 'center' : '');
  return alignments.get(name.trim().toLowerCase());
}

/** The direction that an element sets for its text, if any. */
export function directionOf(element: DomElement): Direction | undefined {
  const style = readStyle(attribute(element, 'style') ?? '').get('direction');
  const name = (style ?? attribute(element, 'dir') ?? '').trim().toLowerCase();
  if (name === 'auto') return firstDirection(element) ?? 'ltr';
  return name === 'rtl' || name === 'ltr' ? name : undefined;
}

const strongLetter = /[\p{L}\p{Nl}]/u;
export const rtlLetter = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of the first letter in an element; undefined if there is no letter. */
function firstDirection(element: DomElement): Direction | undefined {
  for (const node of element.childNodes) {
    if (isElement(node)) {
      const found = firstDirection(node);
      if (found !== undefined) return found;
    } else if ('value' in node) {
      const letter = strongLetter.exec(node.value)?.[0];
      if (letter !== undefined) return rtlLetter.test(letter) ? 'rtl' : 'ltr';
    }
  }
  return undefined;
}

export function backgroundOf(element: DomElement): string | undefined {
  const style = readStyle(attribute(element, 'style') ?? '');
  return hexColour(style.get('background-color') ?? style.get('background') ?? attribute(element, 'bgcolor') ?? '');
}
