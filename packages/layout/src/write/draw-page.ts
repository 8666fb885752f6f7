import { textFill } from '../document/text-fill.ts';
import type { PageGeometry, Picture } from '../document/tree.ts';
import type { FontFace } from '../fonts/font-face.ts';
import { printedAdvance } from '../fonts/printed-advance.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import type { ShapedWord } from '../fonts/text-font.ts';
import { type TextLineKind, textLines } from '../fonts/text-lines.ts';
import type { TextFragment } from '../layout/line.ts';
import type { Page } from '../layout/page.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type Canvas, drawBoxRule, drawRule, drawShading } from './draw-areas.ts';
import { drawFramedPicture } from './draw-framed-picture.ts';
import type { UsedFont } from './embed-font.ts';
import { black, GraphicsState } from './graphics-state.ts';
import type { PageMarks } from './page-marks.ts';
import { pdfNumber } from './pdf-objects.ts';

const twipsPerPoint = 20;
const dotsPerPoint = dotsPerTwip * twipsPerPoint;
/** Smaller differences in position, in thousandths of the size, are not corrected. */
const leastShift = 0.5;

/** LibreOffice draws text this number of twips to the right of its position. */
const textShift = 2;

/** The resource names of fonts and pictures on pages. */
export interface ResourceNames {
  readonly fontOf: (face: FontFace) => UsedFont;
  readonly nameOf: (picture: Buffer) => string;
}

/** The content of a page (ISO 32000-1, 7.8.2), marked with the document's structure. */
export function drawPage(page: Page, { fontOf, nameOf }: ResourceNames, marks: PageMarks): string {
  const { geometry, items, layers } = page;
  const operators: string[] = [];
  // LibreOffice truncates it like this, which can amount to a pixel where borders meet.
  const height = Math.floor(pageLength(geometry.height) * 1000) / 1000;
  const flipped = (twips: number): number => height - twips / twipsPerPoint;
  const state = new GraphicsState();
  const canvas: Canvas = { flipped, state };
  const picture = (left: number, top: number, one: Picture): string =>
    drawFramedPicture(one, { left, top }, nameOf(one.bytes), canvas);
  if (layers !== undefined) for (const item of items) marks.expect(item);
  for (const item of layers ?? items) {
    if (item.kind === 'page-picture') {
      operators.push(marks.figure(item.element, item.picture.description, item.story));
      operators.push(picture(item.left, item.top, item.picture));
    } else if (item.kind === 'shading') operators.push(marks.artifact(item.story), drawShading(item, canvas));
    else if (item.kind === 'rule') {
      requireOnPage(item.left, item.right - item.left, geometry);
      operators.push(marks.artifact(item.story), drawRule(item, canvas));
    } else if (item.kind === 'box-rule') operators.push(marks.artifact(item.story), drawBoxRule(item, canvas));
    else {
      const { elements, line, story } = item;
      if (line.fragments.length === 0) marks.emptyLine(elements?.text);
      for (const [index, fragment] of line.fragments.entries()) {
        if (fragment.kind === 'picture') {
          const top = item.top + line.ascent - fragment.picture.height;
          // LibreOffice positions fragments at whole twips.
          const left = Math.floor(item.left + fragment.x / dotsPerTwip);
          operators.push(marks.figure(elements?.text, fragment.picture.description, story));
          operators.push(picture(left, top, fragment.picture));
          continue;
        }
        requireOnPage(item.left + fragment.x / dotsPerTwip, fragment.width / dotsPerTwip, geometry);
        const element = index === 0 && elements?.label !== undefined ? elements.label : elements?.text;
        operators.push(
          fragment.link === undefined ? marks.text(element, story) : marks.link(fragment.link, element, story),
        );
        const x = (item.left + textShift) / twipsPerPoint + fragment.x / dotsPerPoint;
        const y = flipped(item.top + line.ascent);
        const place = { x, y, state };
        const { underline, isStruck } = fragment.format;
        const fill = textFill(fragment.format);
        if (fill !== undefined) operators.push(drawTextShading(fragment, fill, place));
        operators.push(drawText(fragment, place, fontOf(fragment.font.face)));
        if (underline !== 'none') operators.push(...drawTextLines(fragment, underline, place));
        if (isStruck) operators.push(...drawTextLines(fragment, 'strike', place));
      }
    }
  }
  operators.push(marks.end());
  return operators.filter((operator) => operator !== '').join('\n');
}

/** LibreOffice omits text that extends beyond the page, and clips borders. */
function requireOnPage(left: number, width: number, page: PageGeometry): void {
  if (left < 0 || left + width > page.width) throw new UnknownFeature('text or a border that extends beyond its page');
}

/** The width or height of a page in points, rounded to hundredths of a millimetre like LibreOffice. */
export function pageLength(twips: number): number {
  return (Math.round((twips * 127) / 72) * 72) / 2540;
}

/** The start of a text on its baseline, in points. */
interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly state: GraphicsState;
}

function drawText({ words, gaps, font, format }: TextFragment, { x, y, state }: TextPlace, used: UsedFont): string {
  const shown: string[] = [];
  let open = '';
  let shift = 0;
  const show = (word: ShapedWord, excess: number): void => {
    used.use(word);
    for (const segment of word.segments) {
      if (Math.abs(shift) >= leastShift && open !== '') {
        shown.push(`<${open}>${pdfNumber(shift)}`);
        [open, shift] = ['', 0];
      }
      open += segment.hex;
      shift += segment.excess;
    }
    shift += excess;
  };
  const perDot = 1000 / (font.halfPoints * 10 * dotsPerTwip);
  const spaceWidth = (font.spaceWidth - font.spacing * dotsPerTwip) * perDot;
  // Most gaps equal the previous one, and need no operator.
  let [shownGap, excess] = [0, 0];
  for (const [index, word] of words.entries()) {
    const gap = gaps[index] ?? 0;
    show(word, word.loss);
    if (gap <= 0) continue;
    if (gap !== shownGap) {
      const advance = printedAdvance(gap - font.spacing * dotsPerTwip, spaceWidth, font.halfPoints);
      [shownGap, excess] = [gap, Math.floor(spaceWidth) - advance];
    }
    show(font.space, excess);
  }
  if (open !== '') shown.push(`<${open}>`);
  if (shown.length === 0) return '';
  const ink = state.fill(format.color ?? black);
  const spacing = font.spacing === 0 ? '' : `${pdfNumber(font.spacing / twipsPerPoint)} Tc `;
  const baseline = y + font.rise / twipsPerPoint;
  return `${ink}BT ${spacing}${state.font(used.name, font.halfPoints / 2)}${pdfNumber(x)} ${pdfNumber(baseline)} Td [${shown.join('')}] TJ${spacing === '' ? '' : ' 0 Tc'} ET`;
}

function drawTextShading({ width, trailing, font }: TextFragment, color: string, { x, y, state }: TextPlace): string {
  const bottom = y - (font.lineHeight - font.ascent) / twipsPerPoint;
  const box = [x, bottom, (width + trailing) / dotsPerPoint, font.lineHeight / twipsPerPoint].map(pdfNumber).join(' ');
  return `${state.fill(color)}${box} re f`;
}

/** Draws the lines under or through the text of a run. */
function drawTextLines(
  { width, trailing, font, format }: TextFragment,
  kind: TextLineKind,
  { x, y, state }: TextPlace,
): readonly string[] {
  const [from, to] = [x, x + (width + trailing) / dotsPerPoint].map(pdfNumber);
  return textLines(font, kind).map((line) => {
    const at = pdfNumber(y + line.rise / 10);
    return `${state.stroke(format.color ?? black)}${state.lineWidth(line.width / 10)}${from} ${at} m ${to} ${at} l S`;
  });
}
