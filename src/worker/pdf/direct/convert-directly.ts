import { readDocument } from './document/read-document.ts';
import { openFontSubsetter } from './fonts/font-subset.ts';
import { openTextFonts } from './fonts/text-font.ts';
import { layOutDocument } from './layout/place-blocks.ts';
import { writePdf } from './write/write-pdf.ts';

export interface DirectOptions {
  /** The title among the properties of the PDF, in place of that of the document. */
  readonly title?: string | undefined;
  /** The language of the document (BCP 47), in place of that of its styles. */
  readonly language?: string | undefined;
}

export interface DirectPdf {
  readonly pdf: Uint8Array;
  readonly pages: number;
}

export interface DirectConverter {
  /**
   * Converts a .docx to PDF without LibreOffice, in the same pages. Equal documents and options give equal bytes. Throws
   * UnknownFeature, with the reason, for anything that is not laid out exactly as LibreOffice does, and as `openPackage` for a
   * file that is no .docx.
   */
  convert(docx: Uint8Array, options?: DirectOptions): DirectPdf;
}

/**
 * Opens a converter that keeps fonts and shaped words for the documents that follow. `fontSettings` is the path of the
 * fontconfig file that LibreOffice uses.
 */
export async function openDirectConverter(fontSettings: string): Promise<DirectConverter> {
  const subsetter = await openFontSubsetter();
  const fontOf = openTextFonts(fontSettings);
  return {
    convert(docx, { title, language } = {}) {
      const tree = readDocument(docx);
      const pages = layOutDocument(tree, fontOf);
      const properties = { title: title ?? tree.title, language: language ?? tree.language };
      return { pdf: writePdf(pages, properties, subsetter), pages: pages.length };
    },
  };
}
