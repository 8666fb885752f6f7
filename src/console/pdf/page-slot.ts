import { pdfTexts } from '../texts/pdf.ts';
import type { PageSize, Pdf } from './open-pdf.ts';
import { pixelsPerPoint } from './page-layout.ts';

/** The element of a page and its drawing. */
export interface PageSlot {
  readonly element: HTMLElement;
  size: PageSize;
  isMeasured: boolean;
  /** The scale at which it was drawn; 0 if it was not drawn, or shows a picture of the previous PDF. */
  drawnAt: number;
  /** Whether the text matches the picture: drawing can be stopped between the two. */
  isTextWritten: boolean;
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
  return { element, size, isMeasured: false, drawnAt: 0, isTextWritten: false, canvas: undefined, text: undefined };
}

/** Removes the picture and the text; the element keeps its size. */
export function emptySlot(slot: PageSlot): void {
  slot.canvas?.remove();
  slot.text?.remove();
  Object.assign(slot, { canvas: undefined, text: undefined });
  forgetDrawing(slot);
}

/** Marks the picture and the text as belonging to another PDF, or as removed. */
export function forgetDrawing(slot: PageSlot): void {
  Object.assign(slot, { drawnAt: 0, isTextWritten: false });
}

export function isDrawn(slot: PageSlot, scale: number): boolean {
  return slot.drawnAt === scale && slot.isTextWritten;
}

/**
 * Draws a page of the PDF in its slot and writes its text over the picture. Existing content stays until then. Stops
 * when the signal aborts.
 */
export async function drawSlot(
  slot: PageSlot,
  pdf: Pdf,
  index: number,
  scale: number,
  signal: AbortSignal,
): Promise<void> {
  if (slot.drawnAt !== scale) {
    const canvas = await pdf.draw(index, scale * pixelsPerPoint * devicePixelRatio, signal);
    if (signal.aborted) return;
    slot.canvas?.remove();
    slot.canvas = canvas;
    slot.element.prepend(canvas);
    slot.drawnAt = scale;
  }
  if (slot.isTextWritten) return;
  const text = document.createElement('div');
  text.className = 'pdf-text';
  await pdf.writeText(index, text);
  if (signal.aborted) return;
  slot.text?.remove();
  slot.text = text;
  slot.canvas?.after(text);
  slot.isTextWritten = true;
}
