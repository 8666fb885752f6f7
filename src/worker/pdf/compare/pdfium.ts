import { PDFiumLibrary } from '@hyzyla/pdfium';

/**
 * The functions of PDFium (`fpdf_text.h`, `fpdf_edit.h`, `fpdf_doc.h`, `fpdfview.h`) that its TypeScript wrapper does
 * not offer. Pointers are offsets in `HEAPU8`.
 */
export interface Pdfium {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
  _FPDF_LoadMemDocument(pointer: number, bytes: number, password: number): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidth(page: number): number;
  _FPDF_GetPageHeight(page: number): number;
  _FPDF_PageToDevice(
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    x: number,
    y: number,
    deviceX: number,
    deviceY: number,
  ): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_IsGenerated(text: number, index: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_GetFontSize(text: number, index: number): number;
  _FPDFText_GetTextObject(text: number, index: number): number;
  _FPDFTextObj_GetFont(textObject: number): number;
  _FPDFTextObj_GetTextRenderMode(textObject: number): number;
  _FPDFFont_GetBaseFontName(font: number, buffer: number, bytes: number): number;
  _FPDFFont_GetIsEmbedded(font: number): number;
  _FPDFText_GetFillColor(text: number, index: number, r: number, g: number, b: number, a: number): number;
  _FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  _FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number;
  _FPDFBookmark_GetFirstChild(document: number, bookmark: number): number;
  _FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
  _FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number;
  _FPDFBookmark_GetDest(document: number, bookmark: number): number;
  _FPDFDest_GetDestPageIndex(document: number, destination: number): number;
  _FPDFDest_GetLocationInPage(
    destination: number,
    hasX: number,
    hasY: number,
    hasZoom: number,
    x: number,
    y: number,
    zoom: number,
  ): number;
  _FPDFLink_Enumerate(page: number, position: number, link: number): number;
  _FPDFLink_GetAnnotRect(link: number, rectangle: number): number;
  _FPDFLink_GetDest(document: number, link: number): number;
  _FPDFLink_GetAction(link: number): number;
  _FPDFAction_GetURIPath(document: number, action: number, buffer: number, bytes: number): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, x: number, y: number, width: number, height: number, colour: number): void;
  _FPDFBitmap_GetBuffer(bitmap: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotation: number,
    flags: number,
  ): void;
}

/** Starts PDFium in WebAssembly, so that a PDF that exploits it stays confined. */
export async function startPdfium(): Promise<Pdfium> {
  const library: unknown = await PDFiumLibrary.init();
  return (library as { readonly module: Pdfium }).module;
}

/** Allocates `bytes` of memory for a PDFium function to write to, and reads the result. */
export function useMemory<T>(pdfium: Pdfium, bytes: number, use: (pointer: number) => T): T {
  const pointer = pdfium.wasmExports.malloc(bytes);
  if (pointer === 0) throw new Error('no memory for a comparison');
  try {
    return use(pointer);
  } finally {
    pdfium.wasmExports.free(pointer);
  }
}

export interface OpenedPdf {
  /** PDFium's pointer to the document. */
  readonly document: number;
  readonly pages: number;
  /** The page is closed when `use` returns. */
  usePage<T>(index: number, use: (page: number) => T): T;
  close(): void;
}

/** Throws for a file that PDFium cannot read; memory allocated for that file is not freed. */
export function openPdf(pdfium: Pdfium, bytes: Uint8Array): OpenedPdf {
  const pointer = pdfium.wasmExports.malloc(bytes.length);
  if (pointer === 0) throw new Error('the PDF is too large to be compared');
  pdfium.HEAPU8.set(bytes, pointer);
  const document = pdfium._FPDF_LoadMemDocument(pointer, bytes.length, 0);
  if (document === 0) throw new Error('the PDF cannot be read');
  return {
    document,
    pages: pdfium._FPDF_GetPageCount(document),
    usePage(index, use) {
      const page = pdfium._FPDF_LoadPage(document, index);
      if (page === 0) throw new Error(`page ${index + 1} of the PDF cannot be read`);
      try {
        return use(page);
      } finally {
        pdfium._FPDF_ClosePage(page);
      }
    },
    close() {
      pdfium._FPDF_CloseDocument(document);
      pdfium.wasmExports.free(pointer);
    },
  };
}

/** Opens two PDFs and closes them when `use` returns. Throws for a file that PDFium cannot read. */
export function useBoth<T>(
  pdfium: Pdfium,
  before: Uint8Array,
  after: Uint8Array,
  use: (before: OpenedPdf, after: OpenedPdf) => T,
): T {
  const first = openPdf(pdfium, before);
  try {
    const second = openPdf(pdfium, after);
    try {
      return use(first, second);
    } finally {
      second.close();
    }
  } finally {
    first.close();
  }
}
