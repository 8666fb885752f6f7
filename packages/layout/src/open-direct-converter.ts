import type { WordPackage } from '@docmill/word/word-package';
import { readDocument } from './document/read-document.ts';
import { openFontSubsetter } from './fonts/font-subset.ts';
import { openTextFonts } from './fonts/text-font.ts';
import { layOutDocument } from './layout/place-blocks.ts';
import type { Standards } from './write/standards.ts';
import { writePdf } from './write/write-pdf.ts';

export interface DirectPdf {
  readonly pdf: Uint8Array;
  readonly pages: number;
}

export interface ConvertOptions {
  /** Default: none. */
  readonly standards?: Standards | undefined;
}

export interface DirectConverter {
  /**
   * Converts a .docx to PDF without LibreOffice, with the same pages whatever standards the file declares. Equal
   * documents give equal bytes. Throws UnknownFeature, with the reason, for anything that is not laid out exactly as
   * LibreOffice does, and the errors of the package for broken parts.
   */
  convert(source: WordPackage, options?: ConvertOptions): DirectPdf;
}

/**
 * Opens a converter that keeps fonts and shaped words for the following documents. `fontSettings` is the path of
 * LibreOffice's fontconfig file.
 */
export async function openDirectConverter(fontSettings: string): Promise<DirectConverter> {
  const subsetter = await openFontSubsetter();
  const fontOf = openTextFonts(fontSettings);
  return {
    convert(source, { standards = {} } = {}) {
      const tree = readDocument(source);
      const pages = layOutDocument(tree, fontOf);
      return { pdf: writePdf(pages, tree.properties, standards, subsetter), pages: pages.length };
    },
  };
}
