import { UnknownFeature } from '../unknown-feature.ts';
import type { Border, BorderLines } from './tree.ts';
import { wholeNumber, type XmlElement } from './xml-element.ts';

const thin = 15;
const thick = 30;

/** The lines of each kind of border (ST_Border) for a width in twips (LibreOffice, `ConvertBorderStyleFromWord`, `BorderWidthImpl`). */
const linesOf: Readonly<Record<string, (width: number) => BorderLines>> = {
  single: (width) => [width],
  thick: (width) => [2 * width],
  double: (width) => [width, width, width],
  triple: (width) => [width, width, width],
  thinThickSmallGap: (width) => [width, thin, thin],
  thickThinSmallGap: (width) => [thin, thin, width],
  thinThickMediumGap: (width) => [width, Math.round(width / 2), Math.round(width / 2)],
  thickThinMediumGap: (width) => [Math.round(width / 2), Math.round(width / 2), width],
  thinThickLargeGap: (width) => [thick, width, thin],
  thickThinLargeGap: (width) => [thin, width, thick],
};

/** The lines of a border of `least` to 96 eighths of a point. Throws UnknownFeature for kinds that are not known. */
export function readBorderLines(element: XmlElement, least: number): BorderLines {
  const kind = element.attributes.get('w:val') ?? '';
  const lines = Object.hasOwn(linesOf, kind) ? linesOf[kind] : undefined;
  if (lines === undefined) throw new UnknownFeature(`a border ${kind.slice(0, 20)}`);
  // LibreOffice rounds to whole twips.
  return lines(Math.floor((wholeNumber(element, 'w:sz', kind === 'single' ? least : 2, 96) * 5) / 2));
}

export function widthOfLines(lines: BorderLines): number {
  return lines.length === 1 ? lines[0] : lines[0] + lines[1] + lines[2];
}

export function isSameBorder(one: Border | undefined, other: Border | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.width === other.width && one.color === other.color && haveSameLines(one.lines, other.lines);
}

function haveSameLines(one: BorderLines, other: BorderLines): boolean {
  return one.length === other.length && one.every((width, index) => width === other[index]);
}
