import { dotsPerTwip } from './sized-font.ts';

/**
 * How far LibreOffice's PDF goes on behind a glyph on average, in thousandths of the size: its places are whole twips, and the differences
 * from the widths of the font are cut to whole thousandths, which moves long lines (vcl, `PDFWriterImpl::drawHorizontalGlyphs`). `dots` is
 * the advance in the line, `width` that of the font in thousandths.
 */
export function printedAdvance(dots: number, width: number, halfPoints: number): number {
  const twips = dots / dotsPerTwip;
  const least = Math.floor(twips);
  const advance = (whole: number): number => printedStep(whole * dotsPerTwip, width, halfPoints);
  const part = twips - least;
  return (1 - part) * advance(least) + part * advance(least + 1);
}

/** How far LibreOffice's PDF goes on behind a glyph whose place is not cut to twips. */
export function printedStep(dots: number, width: number, halfPoints: number): number {
  const native = Math.floor(width);
  return native - Math.trunc(native - (dots / dotsPerTwip) * (100 / halfPoints) + 0.5);
}
