import { Blob, Face, Feature, Font, Buffer as ShapingBuffer, shape } from 'harfbuzzjs';
import { UnknownFeature } from '../unknown-feature.ts';

/** A font file and its line metrics, in font units. */
export interface FontFace {
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  has(codePoint: number): boolean;
  /** The advances of a text's glyphs with ligatures and without kerning, as Writer sets the text of Word files. */
  advancesOf(text: string): number[];
  /** The glyphs of a text in a single left-to-right script, with ligatures. */
  shape(text: string, isKerned: boolean): Glyph[];
  /** The advance of a glyph on its own. */
  advanceOf(glyph: number): number;
  /**
   * A copy of a table of the font file (OpenType); undefined if it is missing. Each call takes HarfBuzz memory, so keep
   * the result.
   */
  table(tag: string): DataView | undefined;
  /** The font file. */
  readonly bytes: Uint8Array;
}

/** A shaped glyph. Lengths are units of the font. */
export interface Glyph {
  readonly id: number;
  /** The index of its first character in the text. */
  readonly start: number;
  readonly advance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** Bit 7 of `fsSelection` (OpenType, OS/2): use the typographic metrics for lines. */
const useTypoMetrics = 0x80;

/**
 * Opens a font. Metrics follow LibreOffice (vcl, `FontMetricData::ImplCalcLineSpacing`): those of `hhea`, or the
 * typographic ones if the font asks for them. Throws UnknownFeature for a font with neither.
 */
export function openFontFace(bytes: Uint8Array): FontFace {
  const face = new Face(new Blob(bytes));
  const font = new Font(face);
  const unitsPerEm = face.upem;
  font.setScale(unitsPerEm, unitsPerEm);
  const hhea = tableOf(face, 'hhea', 10);
  const os2 = tableOf(face, 'OS/2', 78);
  const isTypographic =
    (os2.getUint16(62) & useTypoMetrics) !== 0 && (os2.getInt16(68) !== 0 || os2.getInt16(70) !== 0);
  const [table, start] = isTypographic ? [os2, 68] : [hhea, 4];
  const [ascent, descent, lineGap] = [table.getInt16(start), -table.getInt16(start + 2), table.getInt16(start + 4)];
  if (ascent <= 0 || descent < 0 || lineGap < 0) throw new UnknownFeature('a font without metrics of lines');
  const characters = new Set(face.collectUnicodes());
  const noKerning = Feature.fromString('-kern');
  const withoutKerning = noKerning === undefined ? [] : [noKerning];
  const buffer = new ShapingBuffer();
  function shapeText(text: string, isKerned: boolean): Glyph[] {
    buffer.reset();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    shape(font, buffer, isKerned ? [] : withoutKerning);
    return buffer.getGlyphInfosAndPositions().map((glyph) => ({
      id: glyph.codepoint,
      start: glyph.cluster,
      advance: glyph.xAdvance ?? 0,
      xOffset: glyph.xOffset ?? 0,
      yOffset: glyph.yOffset ?? 0,
    }));
  }
  return {
    unitsPerEm,
    ascent,
    descent,
    lineGap,
    bytes,
    has: (codePoint) => characters.has(codePoint),
    advancesOf: (text) => shapeText(text, false).map(({ advance }) => advance),
    shape: shapeText,
    advanceOf: (glyph) => font.glyphHAdvance(glyph),
    table: (tag) => copyTable(face, tag),
  };
}

/** Copies the table, because a view of HarfBuzz's memory becomes invalid when that memory grows. */
function copyTable(face: Face, tag: string): DataView | undefined {
  const bytes = face.referenceTable(tag)?.slice();
  return bytes && new DataView(bytes.buffer);
}

function tableOf(face: Face, tag: string, leastBytes: number): DataView {
  const table = copyTable(face, tag);
  if (table === undefined || table.byteLength < leastBytes) throw new UnknownFeature(`a font without the table ${tag}`);
  return table;
}
