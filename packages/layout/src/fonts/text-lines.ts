import { UnknownFeature } from '../unknown-feature.ts';
import { postScriptName, requiredTable } from './font-tables.ts';
import type { TextFont } from './text-font.ts';

/** A line under or through text. Lengths are in tenths of a point, rounded as LibreOffice draws them. */
export interface TextLine {
  readonly width: number;
  /** The distance from the base line up to the middle of the line. */
  readonly rise: number;
}

/** Fonts whose own line metrics LibreOffice ignores. */
const withoutMeasures = /^Liberation(?:Sans|Serif)\b/;
const withMeasures = /^(?:Carlito|Caladea)\b/;

/** One or two lines under the text, or one through it. */
export type TextLineKind = 'single' | 'double' | 'strike';

/**
 * The lines that a font draws under or through its text (vcl, `FontMetricData::ImplInitTextLineSize`). Throws
 * UnknownFeature for a font for which LibreOffice's rule is not known.
 */
export function textLines(font: TextFont, kind: TextLineKind): readonly TextLine[] {
  const name = postScriptName(font.face);
  if (withMeasures.test(name)) return kind === 'double' ? doubleOfTables(font) : [lineOfTables(font, kind)];
  if (withoutMeasures.test(name)) return kind === 'double' ? doubleOfHeights(font) : [lineOfHeights(font, kind)];
  throw new UnknownFeature(`lines in text in another font`);
}

/** From top to bottom. `offset` is the distance from the base line down to the upper edge of the first line. */
function twoLines(width: number, offset: number, distance: number): readonly TextLine[] {
  const first = offset + Math.floor(width / 2);
  return [
    { width, rise: -first },
    { width, rise: -(first + distance) },
  ];
}

/** Each line is two thirds as thick as a single one. The order of the operations matters for rounding. */
function doubleOfTables({ face, halfPoints }: TextFont): readonly TextLine[] {
  const table = requiredTable(face, 'post', 12);
  const scale = (halfPoints * 5) / face.unitsPerEm;
  const single = table.getInt16(10) * scale;
  const width = Math.ceil((single * 2) / 3);
  return twoLines(width, Math.ceil(-table.getInt16(8) * scale - single / 2), width * 3);
}

/** The smallest distance between lines at a PDF's resolution of 720 dots per inch. */
const leastDistance = 5;

function doubleOfHeights({ face, halfPoints }: TextFont): readonly TextLine[] {
  const descent = Math.round((face.descent * halfPoints * 5) / face.unitsPerEm);
  const width = Math.max(1, Math.floor((descent * 16 + 50) / 100));
  const distance = Math.max(leastDistance, width);
  const middle = Math.floor(descent / 2) + 1;
  return twoLines(width, middle - Math.floor(distance / 2) - width, width * 2 + distance);
}

function lineOfTables({ face, halfPoints }: TextFont, kind: 'single' | 'strike'): TextLine {
  const table = kind === 'single' ? requiredTable(face, 'post', 12) : requiredTable(face, 'OS/2', 30);
  const [sizeAt, positionAt] = kind === 'single' ? [10, 8] : [26, 28];
  const scale = (halfPoints * 5) / face.unitsPerEm;
  const width = Math.ceil(table.getInt16(sizeAt) * scale);
  const offset = Math.ceil(-table.getInt16(positionAt) * scale);
  return { width, rise: -(offset + Math.floor(width / 2)) };
}

function lineOfHeights({ face, halfPoints }: TextFont, kind: 'single' | 'strike'): TextLine {
  const scale = (halfPoints * 5) / face.unitsPerEm;
  const [ascent, descent] = [Math.round(face.ascent * scale), Math.round(face.descent * scale)];
  const width = Math.max(1, Math.floor((descent * 25 + 50) / 100));
  if (kind === 'single') return { width, rise: -(Math.floor(descent / 2) + 1) };
  const internalLeading = ascent + descent - halfPoints * 5;
  return { width, rise: Math.floor((ascent - internalLeading) / 3) };
}
