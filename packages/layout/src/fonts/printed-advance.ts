import { dotsPerTwip } from './sized-font.ts';

/**
 * The average advance of a glyph in LibreOffice's PDF, in thousandths of the size. Its positions are whole twips, and
 * their differences from the font's widths are truncated to whole thousandths, which shifts long lines (vcl,
 * `PDFWriterImpl::drawHorizontalGlyphs`). `dots` is the advance in the line, `width` the font's in thousandths.
 */
export function printedAdvance(dots: number, width: number, halfPoints: number): number {
  const twips = dots / dotsPerTwip;
  const least = Math.floor(twips);
  const advance = (whole: number): number => printedStep(whole * dotsPerTwip, width, halfPoints);
  const part = twips - least;
  return (1 - part) * advance(least) + part * advance(least + 1);
}

/** The advance of a glyph in LibreOffice's PDF if its position is not truncated to twips. */
export function printedStep(dots: number, width: number, halfPoints: number): number {
  const native = Math.floor(width);
  return native - Math.trunc(native - (dots / dotsPerTwip) * (100 / halfPoints) + 0.5);
}
