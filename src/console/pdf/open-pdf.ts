import { getDocument, type PDFPageProxy, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { PdfProblem } from './pdf-problem.ts';
import { sharedPdfWorker, stopPdfWorker } from './pdf-worker.ts';

/** In points (1/72 inch). */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** A run of text and its position on the page, in points from the top left corner. */
export interface TextRun extends PageSize {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** The kind of its font, by which the browser can measure parts of the text: `serif`. */
  readonly fontFamily: string;
}

/** A PDF whose pages, counted from 0, can be measured, drawn and read. The caller that opens it closes it. */
export interface Pdf {
  readonly pageCount: number;
  readonly sizeOf: (page: number) => Promise<PageSize>;
  /** Draws the page. The scale is lowered for pages that no browser could draw. Rejects when the signal aborts. */
  readonly draw: (page: number, pixelsPerPoint: number, signal?: AbortSignal) => Promise<HTMLCanvasElement>;
  /**
   * Writes invisible text over the picture, for copying and for screen readers. It scales with `--total-scale-factor`.
   */
  readonly writeText: (page: number, container: HTMLElement) => Promise<void>;
  readonly textOf: (page: number) => Promise<readonly TextRun[]>;
  readonly close: () => void;
}

const maxPdfBytes = 150_000_000;
const openLimitMs = 60_000;
/** The largest canvas in pixels; some browsers leave larger ones blank. */
const maxCanvasPixels = 16_000_000;

/**
 * Opens a PDF in the page's worker; the caller keeps the bytes.
 *
 * @throws PdfProblem when it is too large, damaged, or takes too long
 */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>): Promise<Pdf> {
  if (bytes.length > maxPdfBytes) throw new PdfProblem('tooLarge');
  const task = getDocument({
    // Passes a copy, because the bytes are transferred to the worker.
    data: bytes.slice(),
    worker: sharedPdfWorker(),
    useWasm: false,
    isEvalSupported: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  const opened = await withLimit(task.promise, () => {
    stopPdfWorker();
    void task.destroy().catch(() => undefined);
  });
  const pages = new Map<number, Promise<PDFPageProxy>>();
  const pageAt = (index: number): Promise<PDFPageProxy> => {
    const known = pages.get(index) ?? opened.getPage(index + 1);
    pages.set(index, known);
    return known;
  };
  return {
    pageCount: opened.numPages,
    async sizeOf(index) {
      const { width, height } = (await pageAt(index)).getViewport({ scale: 1 });
      return { width, height };
    },
    draw: async (index, pixelsPerPoint, signal) => drawPage(await pageAt(index), pixelsPerPoint, signal),
    async writeText(index, container) {
      const page = await pageAt(index);
      const layer = new TextLayer({
        textContentSource: await page.getTextContent(),
        container,
        viewport: page.getViewport({ scale: 1 }),
      });
      await layer.render();
      // pdf.js adds this hidden canvas to measure text.
      for (const canvas of document.querySelectorAll('.hiddenCanvasElement'))
        canvas.setAttribute('aria-hidden', 'true');
    },
    textOf: async (index) => readRuns(await pageAt(index)),
    close: () => void task.destroy().catch(() => undefined),
  };
}

async function withLimit<T>(opening: Promise<T>, giveUp: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new PdfProblem('isSlow'));
      giveUp();
    }, openLimitMs);
  });
  try {
    return await Promise.race([opening, late]);
  } catch (error) {
    throw error instanceof PdfProblem ? error : new PdfProblem('unreadable', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function drawPage(page: PDFPageProxy, pixelsPerPoint: number, signal?: AbortSignal): Promise<HTMLCanvasElement> {
  signal?.throwIfAborted();
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(pixelsPerPoint, Math.sqrt(maxCanvasPixels / Math.max(1, width * height)));
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.ceil(viewport.width));
  canvas.height = Math.max(1, Math.ceil(viewport.height));
  canvas.setAttribute('aria-hidden', 'true');
  const task = page.render({ canvas, viewport });
  const cancel = () => task.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    await task.promise;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
  page.cleanup();
  return canvas;
}

async function readRuns(page: PDFPageProxy): Promise<TextRun[]> {
  const viewport = page.getViewport({ scale: 1 });
  const { items, styles } = await page.getTextContent();
  return items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [, , , , left = 0, bottom = 0] = item.transform as number[];
    const { ascent, descent, fontFamily = 'sans-serif' } = styles[item.fontName] ?? {};
    // The height is that of the font, and `bottom` the line that letters stand on: braces reach below it.
    const top = bottom + item.height * usable(ascent, 0.9);
    const lowest = bottom + item.height * usable(descent, -0.22);
    const corners = viewport.convertToViewportRectangle([left, lowest, left + item.width, top]);
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = corners as number[];
    const place = { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
    return [{ text: item.str, ...place, fontFamily }];
  });
}

/** Some fonts do not tell how far their letters reach. */
const usable = (reach: number | undefined, usual: number): number =>
  reach === undefined || Number.isNaN(reach) || reach === 0 ? usual : reach;
