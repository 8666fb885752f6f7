import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFPageProxy,
  PDFWorker,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { byId, create } from './elements.ts';

/** A point is 1/72 inch, a CSS pixel 1/96 inch. */
const pixelsPerPoint = 96 / 72;
/** The largest canvas in pixels; some browsers leave larger ones blank. */
const maxCanvasPixels = 16_000_000;
const [minZoom, maxZoom, zoomStep] = [0.25, 4, 1.25];

export type Zoom = number | 'fit';

/** The reading position: the page at the top edge, counted from 0, and the share of it that is above the edge. */
export interface Position {
  readonly page: number;
  readonly share: number;
}

interface Slot {
  readonly element: HTMLDivElement;
  readonly page: PDFPageProxy;
  readonly widthPt: number;
  readonly heightPt: number;
  /** The zoom at which the canvas was drawn; 0 if it was not. */
  drawnAt: number;
}

/** Draws the pages of a PDF in a column. New pages replace the old ones without moving the reading position. */
export function createPagesView(onMove: () => void) {
  const container = byId('pages', HTMLElement);
  // Scrollable, so the keyboard must reach it.
  container.tabIndex = 0;
  GlobalWorkerOptions.workerSrc = '/pdf-worker.js';
  const worker = new PDFWorker({});
  let slots: Slot[] = [];
  let zoom: Zoom = 'fit';
  let task: PDFDocumentLoadingTask | undefined;
  let wanted: Position | undefined;

  const scale = (): number => {
    if (zoom !== 'fit') return zoom;
    const widest = Math.max(1, ...slots.map(({ widthPt }) => widthPt));
    const { paddingLeft, paddingRight } = getComputedStyle(container);
    const room = container.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    return Math.min(maxZoom, Math.max(minZoom, room / (widest * pixelsPerPoint)));
  };

  const position = (): Position => {
    const top = container.scrollTop + container.offsetTop;
    const index = slots.findIndex(({ element }) => element.offsetTop + element.offsetHeight > top);
    const element = slots[index]?.element;
    if (element === undefined) return { page: Math.max(0, slots.length - 1), share: 0 };
    return { page: index, share: (top - element.offsetTop) / element.offsetHeight };
  };

  const goTo = ({ page, share }: Position) => {
    const element = slots[Math.min(page, slots.length - 1)]?.element;
    if (element === undefined) return;
    // At the start, the margin above the first page is visible.
    if (page === 0 && share <= 0) container.scrollTop = 0;
    else container.scrollTop = element.offsetTop - container.offsetTop + share * element.offsetHeight;
  };

  const layOut = (list: readonly Slot[]) => {
    const factor = scale() * pixelsPerPoint;
    for (const { element, widthPt, heightPt } of list) {
      element.style.width = `${widthPt * factor}px`;
      element.style.height = `${heightPt * factor}px`;
    }
  };

  const isSeen = ({ element }: Slot): boolean => {
    const top = element.offsetTop - container.offsetTop - container.scrollTop;
    return top < container.clientHeight * 1.5 && top + element.offsetHeight > -container.clientHeight / 2;
  };

  const drawSeen = async (list: readonly Slot[]) => {
    const at = scale();
    for (const slot of list) {
      if (!isSeen(slot) || slot.drawnAt === at) continue;
      slot.drawnAt = at;
      const canvas = await draw(slot, at);
      slot.element.querySelector('canvas')?.remove();
      slot.element.prepend(canvas);
    }
  };

  const redraw = () => void drawSeen(slots).catch(() => undefined);

  container.addEventListener(
    'scroll',
    () => {
      redraw();
      onMove();
    },
    { passive: true },
  );
  new ResizeObserver(() => {
    const before = position();
    layOut(slots);
    goTo(before);
    redraw();
    onMove();
  }).observe(container);

  return {
    position,
    count: () => slots.length,
    zoom: () => zoom,
    /** The zoom as a number, even if the width is fitted. */
    scale,
    /** The reading position for the first pages that are shown. */
    restore(place: Position) {
      wanted = place;
    },
    goTo,
    setZoom(value: Zoom) {
      const before = position();
      zoom = value === 'fit' ? value : Math.min(maxZoom, Math.max(minZoom, value));
      layOut(slots);
      goTo(before);
      redraw();
      onMove();
    },
    step(direction: 1 | -1) {
      this.setZoom(Math.round(scale() * zoomStep ** direction * 100) / 100);
    },
    setOutdated(isOutdated: boolean) {
      container.classList.toggle('outdated', isOutdated);
    },
    clear(text: string) {
      void task?.destroy();
      task = undefined;
      slots = [];
      const note = create('p', text);
      note.className = 'empty';
      container.replaceChildren(note);
      onMove();
    },
    /** Loads and shows a PDF. A newer call wins. Throws if the PDF cannot be loaded. */
    async show(url: string): Promise<void> {
      const before = task;
      const own = getDocument({ url, worker, useWasm: false, isEvalSupported: false, verbosity: 0 });
      task = own;
      const document = await own.promise;
      const pages = await Promise.all(
        Array.from({ length: document.numPages }, (_, index) => document.getPage(index + 1)),
      );
      const next = await Promise.all(pages.map(toSlot));
      if (task !== own) return void own.destroy();
      const place = wanted ?? (slots.length > 0 ? position() : { page: 0, share: 0 });
      const old = slots;
      slots = next;
      layOut(slots);
      // Old pictures stay until new ones are drawn, to avoid flicker.
      for (const [index, slot] of slots.entries()) {
        const canvas = old[index]?.element.querySelector('canvas');
        if (canvas !== undefined && canvas !== null) slot.element.prepend(canvas);
      }
      container.replaceChildren(...slots.map(({ element }) => element));
      goTo(place);
      wanted = undefined;
      await drawSeen(slots);
      if (before !== undefined) await before.destroy();
      onMove();
    },
  };
}

async function toSlot(page: PDFPageProxy, index: number): Promise<Slot> {
  const { width, height } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : '')).join('');
  const element = create('div', create('p', text));
  element.className = 'page';
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', `Page ${index + 1}`);
  return { element, page, widthPt: width, heightPt: height, drawnAt: 0 };
}

async function draw({ page, widthPt, heightPt }: Slot, zoom: number): Promise<HTMLCanvasElement> {
  const wanted = zoom * pixelsPerPoint * devicePixelRatio;
  const scale = Math.min(wanted, Math.sqrt(maxCanvasPixels / (widthPt * heightPt)));
  const viewport = page.getViewport({ scale });
  const canvas = create('canvas');
  canvas.width = Math.ceil(viewport.width);
  canvas.height = Math.ceil(viewport.height);
  canvas.setAttribute('aria-hidden', 'true');
  await page.render({ canvas, viewport }).promise;
  return canvas;
}
