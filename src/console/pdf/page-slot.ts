import { pdfTexts } from '../texts/pdf.ts';
import type { PageSize, Pdf } from './open-pdf.ts';
import { pixelsPerPoint } from './page-layout.ts';

/** The element of a page and what is drawn in it. */
export interface PageSlot {
  readonly element: HTMLElement;
  size: PageSize;
  isMeasured: boolean;
  /** Scale with which it was drawn; 0 for none, or for a picture of the PDF before. */
  drawnAt: number;
  canvas: HTMLCanvasElement | undefined;
  text: HTMLElement | undefined;
}

/** An empty A4 page; `index` is counted from 0. */
export function createSlot(index: number): PageSlot {
  const element = document.createElement('div');
  element.className = 'pdf-page';
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', pdfTexts.page(index + 1));
  const size = { width: 595, height: 842 };
  return { element, size, isMeasured: false, drawnAt: 0, canvas: undefined, text: undefined };
}

/** Removes picture and text; the element keeps its size. */
export function emptySlot(slot: PageSlot): void {
  slot.canvas?.remove();
  slot.text?.remove();
  Object.assign(slot, { canvas: undefined, text: undefined, drawnAt: 0 });
}

/** Draws a page of the PDF in its slot, and writes its text over the first picture. Does nothing more once the signal aborts. */
export async function drawSlot(
  slot: PageSlot,
  pdf: Pdf,
  index: number,
  scale: number,
  signal: AbortSignal,
): Promise<void> {
  const canvas = await pdf.draw(index, scale * pixelsPerPoint * devicePixelRatio, signal);
  if (signal.aborted) return;
  slot.canvas?.remove();
  slot.canvas = canvas;
  slot.element.prepend(canvas);
  const isNew = slot.drawnAt === 0;
  slot.drawnAt = scale;
  if (!isNew) return;
  const text = document.createElement('div');
  text.className = 'pdf-text';
  await pdf.writeText(index, text);
  if (signal.aborted) return;
  slot.text?.remove();
  slot.text = text;
  slot.canvas?.after(text);
}
