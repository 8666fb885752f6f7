import type { ParagraphFormat } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';

/** The line metrics of a font, in twips. */
export interface FontHeight {
  readonly lineHeight: number;
  readonly ascent: number;
}

/** Lengths are in twips. The base line is `ascent` below the top of the line. */
export interface LineHeight {
  readonly height: number;
  readonly ascent: number;
  /** The space above the line if it follows another line of its paragraph on the page. */
  readonly spacing: number;
  /** The space below the line if it is the last one of its paragraph. */
  readonly spacingBelow: number;
}

/**
 * The height of a line: the highest ascent plus the deepest descent. The spacing above it comes from its highest font
 * (Writer, `SwTextFormatter::CalcRealHeight`), the spacing below a paragraph's last line from its text
 * (`SwTextFrame::CalcHeightOfLastLine`). Pictures stand on the base line. `tabs` are the fonts of the line's tabs,
 * which affect only the spacing below; `mark` is the font of the paragraph mark.
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
  // Without words, pictures are at the top of a line that is at least as high as a line of text.
  const height = fonts.length > 0 ? ascent + descent : Math.max(ascent, mark.lineHeight);
  if (lineRule === 'exact' && pictures.length > 0) throw new UnknownFeature('a picture in a line of an exact height');
  if (lineRule === 'exact') return { height: line, ascent: Math.floor((line * 4) / 5), ...noSpacing };
  if (lineRule === 'atLeast') {
    const least = Math.max(line, height);
    return { height: least, ascent: ascent + least - height, ...noSpacing };
  }
  const percent = Math.round((line * 100) / 240);
  // Versions of LibreOffice differ for less than one line.
  if (percent < 100) throw new UnknownFeature('less than one line');
  // Pictures do not count; a line with only pictures has the spacing of text.
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
