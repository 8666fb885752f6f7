import type { ParagraphFormat } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';

/** What a font says of its lines, in twips. */
export interface FontHeight {
  readonly lineHeight: number;
  readonly ascent: number;
}

/** Lengths are twips. The baseline is `ascent` below the top of a line. */
export interface LineHeight {
  readonly height: number;
  readonly ascent: number;
  /** Space above the line if it follows another one of its paragraph on the page. */
  readonly spacing: number;
  /** Space below the line if it is the last one of its paragraph. */
  readonly spacingBelow: number;
}

/**
 * The height of a line: the highest ascent and the deepest descent. The spacing above it is that of its highest font (Writer,
 * `SwTextFormatter::CalcRealHeight`), that below the last line of a paragraph is that of its text (`SwTextFrame::CalcHeightOfLastLine`). Pictures stand on
 * the baseline. `tabs` are the fonts of the tabs of the line, which count for the spacing below alone; `mark` is the font of the paragraph mark.
 */
export function lineHeight(
  { line, lineRule }: ParagraphFormat,
  fonts: readonly FontHeight[],
  pictures: readonly number[],
  mark: FontHeight,
  tabs: readonly FontHeight[] = [],
): LineHeight {
  const [textAscent, descent] = [ascentOf(fonts), descentOf(fonts)];
  const ascent = Math.max(textAscent, ...pictures);
  // Pictures without words stand at the top of a line that is at least as high as one of text.
  const height = fonts.length > 0 ? ascent + descent : Math.max(ascent, mark.lineHeight);
  if (lineRule === 'exact' && pictures.length > 0) throw new UnknownFeature('a picture in a line of an exact height');
  if (lineRule === 'exact') return { height: line, ascent: Math.floor((line * 4) / 5), ...noSpacing };
  if (lineRule === 'atLeast') {
    const least = Math.max(line, height);
    return { height: least, ascent: ascent + least - height, ...noSpacing };
  }
  const percent = Math.round((line * 100) / 240);
  // Less than one line is computed differently by the versions of LibreOffice.
  if (percent < 100) throw new UnknownFeature('less than one line');
  // Pictures do not count; a line with nothing else has the spacing of text.
  const spacingOf = (text: number): number => Math.floor((text * percent) / 100) - text;
  const above = Math.max(...(fonts.length > 0 ? fonts : [mark]).map((font) => font.lineHeight));
  const withTabs = [...fonts, ...tabs];
  const below = fonts.length > 0 ? ascentOf(withTabs) + descentOf(withTabs) : mark.lineHeight;
  return { height, ascent, spacing: spacingOf(above), spacingBelow: spacingOf(below) };
}

const ascentOf = (fonts: readonly FontHeight[]): number => Math.max(...fonts.map(({ ascent }) => ascent));
const descentOf = (fonts: readonly FontHeight[]): number =>
  Math.max(0, ...fonts.map(({ lineHeight: height, ascent }) => height - ascent));

const noSpacing = { spacing: 0, spacingBelow: 0 };
