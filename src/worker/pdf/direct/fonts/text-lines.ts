import { UnknownFeature } from '../unknown-feature.ts';
import { postScriptName, requiredTable } from './font-tables.ts';
import type { TextFont } from './text-font.ts';

/** A line under or through text. Lengths are tenths of a point, as whole as LibreOffice draws them. */
export interface TextLine {
  readonly width: number;
  /** From the base line up to the middle of the line. */
  readonly rise: number;
}

/** Fonts whose own measures LibreOffice does not take. */
const withoutMeasures = /^Liberation(?:Sans|Serif)\b/;
const withMeasures = /^(?:Carlito|Caladea)\b/;

/**
 * The line of a font under or through its text (vcl, `FontMetricData::ImplInitTextLineSize`). Throws UnknownFeature for a font for
 * which LibreOffice's rule is not known.
 */
export function textLine(font: TextFont, kind: 'underline' | 'strike'): TextLine {
  const name = postScriptName(font.face);
  if (withMeasures.test(name)) return lineOfTables(font, kind);
  if (withoutMeasures.test(name)) return lineOfHeights(font, kind);
  throw new UnknownFeature(`lines in text in another font`);
}

function lineOfTables({ face, halfPoints }: TextFont, kind: 'underline' | 'strike'): TextLine {
  const table = kind === 'underline' ? requiredTable(face, 'post', 12) : requiredTable(face, 'OS/2', 30);
  const [sizeAt, positionAt] = kind === 'underline' ? [10, 8] : [26, 28];
  const scale = (halfPoints * 5) / face.unitsPerEm;
  const width = Math.ceil(table.getInt16(sizeAt) * scale);
  const offset = Math.ceil(-table.getInt16(positionAt) * scale);
  return { width, rise: -(offset + Math.floor(width / 2)) };
}

function lineOfHeights({ face, halfPoints }: TextFont, kind: 'underline' | 'strike'): TextLine {
  const scale = (halfPoints * 5) / face.unitsPerEm;
  const [ascent, descent] = [Math.round(face.ascent * scale), Math.round(face.descent * scale)];
  const width = Math.max(1, Math.floor((descent * 25 + 50) / 100));
  if (kind === 'underline') return { width, rise: -(Math.floor(descent / 2) + 1) };
  const internalLeading = ascent + descent - halfPoints * 5;
  return { width, rise: Math.floor((ascent - internalLeading) / 3) };
}
