import type { WordPackage } from '@docmill/word/word-package';
import { readDocument } from './document/read-document.ts';
import { type DrawnWatermark, drawWatermark, type PageSize } from './draw-watermark.ts';
import { openEmbeddedFaces } from './fonts/embedded-faces.ts';
import { openFontSubsetter } from './fonts/font-subset.ts';
import { openTextFonts } from './fonts/text-font.ts';
import type { Page } from './layout/page.ts';
import { layOutDocument } from './layout/place-blocks.ts';
import { UnknownFeature } from './unknown-feature.ts';
import type { Standards } from './write/standards.ts';
import { writePdf } from './write/write-pdf.ts';

export interface DirectPdf {
  readonly pdf: Uint8Array;
  /** The number of pages in the PDF. */
  readonly pages: number;
}

export interface ConvertOptions {
  /** Default: none. */
  readonly standards?: Standards | undefined;
  /** Chooses pages of the document, counted from 1 and ascending. Default: all. */
  readonly choosePages?: ((pages: number) => readonly number[]) | undefined;
}

export interface DirectConverter {
  /**
   * Converts a .docx to PDF without LibreOffice, with the same pages no matter which standards the file declares. Equal
   * documents give equal bytes. Throws UnknownFeature, with the reason, for anything that is not laid out exactly as
   * LibreOffice does, and the errors of the package for broken parts.
   */
  convert(source: WordPackage, options?: ConvertOptions): DirectPdf;
  /** Draws a text as LibreOffice draws a watermark. Throws UnknownFeature. */
  drawWatermark(text: string, sizes: readonly PageSize[]): DrawnWatermark;
}

/**
 * Opens a converter that keeps fonts and shaped words for the following documents. `fontSettings` is the path of
 * LibreOffice's fontconfig file.
 */
export async function openDirectConverter(fontSettings: string): Promise<DirectConverter> {
  const subsetter = await openFontSubsetter();
  const embedded = openEmbeddedFaces();
  const fontOf = openTextFonts(fontSettings, embedded.faceOf);
  return {
    convert(source, { standards = {}, choosePages } = {}) {
      embedded.open(source);
      const tree = readDocument(source);
      const all = layOutDocument(tree, fontOf);
      const pages = choosePages === undefined ? all : chosenOf(all, choosePages(all.length));
      return { pdf: writePdf(pages, tree.properties, standards, subsetter), pages: pages.length };
    },
    drawWatermark: (text, sizes) => drawWatermark(text, sizes, fontOf, subsetter),
  };
}

function chosenOf(all: readonly Page[], chosen: readonly number[]): readonly Page[] {
  if (chosen.length === 0) throw new UnknownFeature('pages that the document does not have');
  const isAscending = chosen.every((page, index) => index === 0 || page > (chosen[index - 1] ?? 0));
  if (!isAscending) throw new UnknownFeature('pages in another order');
  return chosen.flatMap((page) => all[page - 1] ?? []);
}
