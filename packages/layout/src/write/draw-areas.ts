import type { BoxRuleItem, Reach, RuleItem, ShadingItem } from '../layout/items.ts';
import type { GraphicsState } from './graphics-state.ts';
import { pdfNumber } from './pdf-objects.ts';

const twipsPerPoint = 20;

/** The target for areas and lines. */
export interface Canvas {
  /** Converts twips from the top of the page to points from its bottom. */
  readonly flipped: (twips: number) => number;
  readonly state: GraphicsState;
}

interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * LibreOffice rounds the left and upper edges of tables and paragraphs to whole tenths of a point, which is visible as
 * thin white lines.
 */
function edgeOf(twips: number): number {
  return Math.round(twips / 2) * 2;
}

/**
 * LibreOffice rounds the last twip of a paragraph down to a tenth of a point, and draws up to the next twip
 * (`SwAlignRect`).
 */
function endOf(twips: number): number {
  return Math.floor((twips - 1) / 2) * 2 + 1;
}

/**
 * LibreOffice draws the shading of cells a twip too narrow and too short, and begins that of paragraphs a twip early.
 */
const shadingShift = 1;

/** Draws the colour behind a cell or a paragraph, or the rule above footnotes (ISO 32000-1, 8.5). */
export function drawShading(item: ShadingItem, { flipped, state }: Canvas): string {
  const { left, top, right, bottom } = shadedArea(item);
  const box = [left / twipsPerPoint, flipped(bottom), (right - left) / twipsPerPoint, (bottom - top) / twipsPerPoint];
  return `${state.fill(item.color)}${box.map(pdfNumber).join(' ')} re f`;
}

/** Draws the outermost `width` of a paragraph's area, divided in the same way as LibreOffice does. */
export function drawFrame(item: Omit<ShadingItem, 'kind'>, width: number, { flipped, state }: Canvas): string {
  const outer = shadedArea(item);
  const [left, top] = [item.left + width, item.top + width];
  const [right, bottom] = [item.left + item.width - width, item.top + item.height - width];
  const parts: readonly Area[] = [
    { ...outer, bottom: top },
    { ...outer, top: bottom - shadingShift },
    { left: outer.left, top: top - shadingShift, right: left, bottom },
    { left: right - shadingShift, top: top - shadingShift, right: outer.right, bottom },
  ];
  const boxes = parts.map((part) => {
    const size = [(part.right - part.left) / twipsPerPoint, (part.bottom - part.top) / twipsPerPoint];
    return `${[part.left / twipsPerPoint, flipped(part.bottom), ...size].map(pdfNumber).join(' ')} re f`;
  });
  return `${state.fill(item.color)}${boxes.join(' ')}`;
}

function shadedArea({ left, top, width, height, of }: Omit<ShadingItem, 'color' | 'kind'>): Area {
  const [right, bottom] = [left + width, top + height];
  if (of === 'paragraph')
    return {
      left: edgeOf(left) - shadingShift,
      top: edgeOf(top) - shadingShift,
      right: endOf(right),
      bottom: endOf(bottom),
    };
  if (of === 'cell')
    return {
      left: edgeOf(left),
      top: edgeOf(top),
      right: edgeOf(right) - shadingShift,
      bottom: edgeOf(bottom) - shadingShift,
    };
  return { left, top, right, bottom };
}

/** Draws a line of a border. */
export function drawRule(item: RuleItem, canvas: Canvas): string {
  return drawLine(item.reach === undefined ? item : cellBorder(item, item.reach), item, canvas);
}

function drawLine(
  { left, top, right, bottom }: Area,
  { width, color }: Pick<RuleItem, 'width' | 'color'>,
  { flipped, state }: Canvas,
): string {
  const from = `${pdfNumber(left / twipsPerPoint)} ${pdfNumber(flipped(top))} m`;
  const to = `${pdfNumber(right / twipsPerPoint)} ${pdfNumber(flipped(bottom))} l`;
  return `${state.stroke(color)}${state.lineWidth(width / twipsPerPoint)}${from} ${to} S`;
}

/** In whole twips, like LibreOffice, after adding half the widths. */
function cellBorder(item: RuleItem, { start, end, whole, distance }: Reach): Area {
  const middle = distance + item.width / 2;
  if (item.left === item.right) {
    const x = Math.round(edgeOf(item.left) - whole / 2 + middle);
    return { left: x, right: x, top: edgeOf(item.top) - start, bottom: edgeOf(item.bottom) + end };
  }
  const y = Math.round(edgeOf(item.top - whole / 2) + middle);
  const [left, right] = [Math.round(edgeOf(item.left) - start), Math.round(edgeOf(item.right) + end)];
  return { left, right, top: y, bottom: y };
}

/** Draws a line along a side of a paragraph, in whole twips. */
export function drawBoxRule(item: BoxRuleItem, canvas: Canvas): string {
  const { side, width, distance, startInset, endInset } = item;
  const box = { left: edgeOf(item.left), top: edgeOf(item.top), right: endOf(item.right), bottom: endOf(item.bottom) };
  const middle = distance + width / 2;
  const at = Math.round(side === 'top' || side === 'left' ? box[side] + middle : box[side] - middle);
  const line =
    side === 'top' || side === 'bottom'
      ? { left: box.left + startInset, right: box.right - endInset, top: at, bottom: at }
      : { left: at, right: at, top: box.top + startInset, bottom: box.bottom - endInset };
  return drawLine(line, item, canvas);
}
