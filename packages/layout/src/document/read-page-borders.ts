import { UnknownFeature } from '../unknown-feature.ts';
import { readBorderLines, widthOfLines } from './border-lines.ts';
import { readBorderColor } from './paragraph-format.ts';
import type { PageBorders, PageGeometry, PageSide } from './tree.ts';
import { allowAttributes, wholeNumber, type XmlElement } from './xml-element.ts';

/** The kinds of ST_Border (ECMA-376 part 1, 17.18.2) that are lines, the only ones that LibreOffice draws. */
const lineKinds: ReadonlySet<string> = new Set(
  (
    'single thick double dotted dashed dotDash dotDotDash triple thinThickSmallGap thickThinSmallGap ' +
    'thinThickThinSmallGap thinThickMediumGap thickThinMediumGap thinThickThinMediumGap thinThickLargeGap ' +
    'thickThinLargeGap thinThickThinLargeGap wave doubleWave dashSmallGap dashDotStroked threeDEmboss threeDEngrave ' +
    'outset inset'
  ).split(' '),
);
const sides: readonly PageSide[] = ['top', 'left', 'bottom', 'right'];

/** The content of a `w:pgBorders`, before the margins of its page are known. */
export interface ReadPageBorders {
  readonly isFromEdge: boolean;
  readonly color: string;
  readonly lines: PageBorders['lines'];
  readonly spaces: Readonly<Partial<Record<PageSide, number>>>;
}

/** Reads a `w:pgBorders` (17.6.10) with equal borders; undefined for one without lines. Throws UnknownFeature. */
export function readPageBorders(element: XmlElement): ReadPageBorders | undefined {
  allowAttributes(element, 'w:offsetFrom', 'w:display', 'w:zOrder');
  if ((element.attributes.get('w:display') ?? 'allPages') !== 'allPages') throw new UnknownFeature('w:display');
  const isFromEdge = element.attributes.get('w:offsetFrom') === 'page';
  const spaces: Partial<Record<PageSide, number>> = {};
  let first: Pick<ReadPageBorders, 'color' | 'lines'> | undefined;
  for (const child of element.children) {
    const side = sides.find((one) => child.name === `w:${one}`);
    if (side === undefined) throw new UnknownFeature(`${child.name} of a page`);
    if (!lineKinds.has(child.attributes.get('w:val') ?? '')) continue;
    for (const name of ['w:shadow', 'w:frame'])
      if (child.attributes.has(name)) throw new UnknownFeature(`${name} of a page border`);
    const own = { color: readBorderColor(child), lines: readLines(child) };
    first ??= own;
    if (own.color !== first.color || own.lines.join() !== first.lines.join())
      throw new UnknownFeature('page borders that differ');
    spaces[side] = child.attributes.has('w:space') ? wholeNumber(child, 'w:space', 0, 31) * 20 : 0;
  }
  return first && { ...first, isFromEdge, spaces };
}

const knownKinds: ReadonlySet<string> = new Set(['single', 'double', 'thinThickSmallGap', 'thickThinSmallGap']);

/** Throws UnknownFeature for kinds whose position on the page has not been measured. */
function readLines(element: XmlElement): PageBorders['lines'] {
  const kind = element.attributes.get('w:val') ?? '';
  if (!knownKinds.has(kind)) throw new UnknownFeature(`a page border ${kind}`);
  return readBorderLines(element, 2);
}

/**
 * Places borders on a page, around its header and footer if it has them. A border may move its content by a twip,
 * because LibreOffice stores its distances from the edge and from the text in hundredths of a millimetre
 * (`editeng::BorderDistanceFromWord`). Throws UnknownFeature for a border within the text.
 */
export function placePageBorders(
  { isFromEdge, color, lines, spaces }: ReadPageBorders,
  geometry: PageGeometry,
  { hasHeader, hasFooter }: { readonly hasHeader: boolean; readonly hasFooter: boolean },
): { borders: PageBorders; geometry: PageGeometry } {
  const margins = {
    top: hasHeader ? geometry.header : geometry.top,
    bottom: hasFooter ? geometry.footer : geometry.bottom,
    left: geometry.left,
    right: geometry.right,
  };
  const width = widthOfLines(lines);
  const edges: Partial<Record<PageSide, number>> = {};
  const moves = { top: 0, bottom: 0, left: 0, right: 0 };
  for (const side of sides) {
    const space = spaces[side];
    if (space === undefined) continue;
    const [margin, own, thickness] = [toHundredths(margins[side]), toHundredths(space), toHundredths(width)];
    const outside = isFromEdge ? own : margin - own - thickness;
    const inside = isFromEdge ? margin - own - thickness : own;
    if (outside < 0 || inside < 0) throw new UnknownFeature('a page border in the text');
    const edge = toTwips(outside);
    edges[side] = edge;
    moves[side] = edge + width + toTwips(inside) - margins[side];
  }
  return {
    borders: {
      color,
      lines,
      frame: { ...margins, ...edges },
      sides: sides.filter((side) => spaces[side] !== undefined),
    },
    geometry: {
      ...geometry,
      top: geometry.top + moves.top,
      header: geometry.header + moves.top,
      bottom: geometry.bottom + moves.bottom,
      footer: geometry.footer + moves.bottom,
      left: geometry.left + moves.left,
      right: geometry.right + moves.right,
    },
  };
}

const toHundredths = (twips: number): number => Math.floor((twips * 127 + 36) / 72);
const toTwips = (hundredths: number): number => Math.floor((hundredths * 72 + 63) / 127);
