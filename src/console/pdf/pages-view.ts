import { pdfTexts } from '../texts/pdf.ts';
import type { PageSize, Pdf } from './open-pdf.ts';
import { boxAt, limitZoom, type Place, pixelsPerPoint, type Zoom, zoomToFit } from './page-layout.ts';
import { type PageMark, showMarks } from './page-marks.ts';

/** More pages than a person scrolls through; each one needs an element. */
const maxShownPages = 2_000;
/** Measured before pages appear; the others get the size of the first until they come into view. */
const measuredAtStart = 20;
/** Pictures this far from what is seen, in heights of the view, are removed again. */
const keptHeights = 4;

interface Slot {
  readonly element: HTMLElement;
  size: PageSize;
  isMeasured: boolean;
  /** Scale with which it was drawn; 0 for none, or for a picture of the PDF before. */
  drawnAt: number;
  canvas: HTMLCanvasElement | undefined;
  text: HTMLElement | undefined;
}

/** Draws the pages of a PDF below each other in an element that scrolls. A newer PDF takes their place without moving what is seen. */
export interface PagesView {
  readonly show: (pdf: Pdf) => Promise<void>;
  readonly clear: () => void;
  readonly place: () => Place;
  readonly goTo: (place: Place) => void;
  readonly setZoom: (zoom: Zoom) => void;
  readonly scale: () => number;
  readonly setMarks: (marks: readonly PageMark[], onMark?: (mark: PageMark) => void) => void;
  readonly close: () => void;
}

export function createPagesView(container: HTMLElement, onMove: () => void): PagesView {
  const slots: Slot[] = [];
  let zoom: Zoom = 'fit';
  let pdf: Pdf | undefined;
  let drawing = new AbortController();
  let isClosed = false;
  let marks: Parameters<PagesView['setMarks']> = [[]];

  const scale = (): number => {
    if (zoom !== 'fit') return zoom;
    const { paddingLeft, paddingRight } = getComputedStyle(container);
    const width = container.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const widest = slots.reduce((most, { size }) => Math.max(most, size.width), 1);
    return zoomToFit(widest, width);
  };

  const bottomOf = (index: number): number => {
    const element = slots[index]?.element;
    return element === undefined ? 0 : element.offsetTop + element.offsetHeight;
  };

  const place = (): Place => {
    const top = container.scrollTop;
    const page = boxAt(slots.length, top, bottomOf);
    const element = slots[page]?.element;
    if (element === undefined) return { page: 0, share: 0 };
    return { page, share: (top - element.offsetTop) / Math.max(1, element.offsetHeight) };
  };

  const goTo = ({ page, share }: Place): void => {
    const element = slots[Math.min(page, slots.length - 1)]?.element;
    if (element === undefined) return;
    // The beginning has some room above the first page.
    container.scrollTop = page === 0 && share <= 0 ? 0 : element.offsetTop + share * element.offsetHeight;
  };

  const layOut = (): void => {
    const factor = scale() * pixelsPerPoint;
    container.style.setProperty('--total-scale-factor', String(factor));
    for (const { element, size } of slots) {
      element.style.width = `${size.width * factor}px`;
      element.style.height = `${size.height * factor}px`;
    }
  };

  /** Runs a change of the layout and keeps what is at the upper edge there. */
  const keepPlace = (change: () => void): void => {
    const before = place();
    change();
    layOut();
    goTo(before);
  };

  const distance = ({ element }: Slot): number => {
    const top = element.offsetTop - container.scrollTop;
    const height = Math.max(1, container.clientHeight);
    return Math.max(0, top - height, -(top + element.offsetHeight)) / height;
  };

  const drawSeen = async (): Promise<void> => {
    drawing.abort();
    drawing = new AbortController();
    const { signal } = drawing;
    const own = pdf;
    if (own === undefined) return;
    const at = scale();
    const first = boxAt(slots.length, container.scrollTop - container.clientHeight, bottomOf);
    const near: number[] = [];
    for (let index = first; index < slots.length; index += 1) {
      const slot = slots[index];
      if (slot === undefined || distance(slot) > 1) break;
      near.push(index);
    }
    for (const slot of slots) if (slot.canvas !== undefined && distance(slot) > keptHeights) empty(slot);
    // What is seen comes first.
    near.sort((one, other) => distanceAt(one) - distanceAt(other));
    for (const index of near) {
      const slot = slots[index];
      if (slot === undefined || slot.drawnAt === at) continue;
      if (!slot.isMeasured) {
        const size = await own.sizeOf(index);
        if (signal.aborted) return;
        keepPlace(() => Object.assign(slot, { size, isMeasured: true }));
      }
      const canvas = await own.draw(index, at * pixelsPerPoint * devicePixelRatio, signal);
      if (signal.aborted) return;
      slot.canvas?.remove();
      slot.canvas = canvas;
      slot.element.prepend(canvas);
      const isNew = slot.drawnAt === 0;
      slot.drawnAt = at;
      if (isNew) await writeText(own, index, slot, signal);
    }
  };
  const distanceAt = (index: number): number => {
    const slot = slots[index];
    return slot === undefined ? 0 : distance(slot);
  };
  // A page that cannot be drawn stays white; its text, if any, is there.
  const redraw = (): void => void drawSeen().catch(() => undefined);

  const onScroll = (): void => {
    redraw();
    onMove();
  };
  container.addEventListener('scroll', onScroll, { passive: true });
  let knownWidth = container.clientWidth;
  const resized = new ResizeObserver(() => {
    if (container.clientWidth === knownWidth) return redraw();
    knownWidth = container.clientWidth;
    keepPlace(() => undefined);
    redraw();
    onMove();
  });
  resized.observe(container);

  const resizeTo = (count: number): void => {
    for (const { element } of slots.splice(count)) element.remove();
    while (slots.length < count) {
      const slot = createSlot(slots.length);
      slots.push(slot);
      container.append(slot.element);
    }
  };

  const measure = async (next: Pdf, indexes: Iterable<number>): Promise<Map<number, PageSize>> => {
    const entries = Array.from(new Set(indexes), async (index) => [index, await next.sizeOf(index)] as const);
    return new Map(await Promise.all(entries));
  };

  return {
    place,
    goTo,
    scale,
    async show(next) {
      const count = Math.min(next.pageCount, maxShownPages);
      const around = Math.min(place().page, count - 1);
      const indexes = [...Array(Math.min(count, measuredAtStart)).keys(), Math.max(0, around - 1), around];
      const sizes = await measure(next, indexes);
      if (isClosed) return next.close();
      const first = sizes.get(0);
      if (first === undefined) return;
      drawing.abort();
      const target = place();
      const before = pdf;
      pdf = next;
      resizeTo(count);
      for (const [index, slot] of slots.entries()) {
        // The old pictures stay until the new ones are drawn: nothing flickers.
        const size = sizes.get(index);
        Object.assign(slot, { size: size ?? first, isMeasured: size !== undefined, drawnAt: 0 });
      }
      layOut();
      goTo(target);
      this.setMarks(...marks);
      onMove();
      before?.close();
      await drawSeen().catch(() => undefined);
    },
    clear() {
      drawing.abort();
      pdf?.close();
      pdf = undefined;
      resizeTo(0);
    },
    setZoom(value) {
      const next = value === 'fit' ? value : limitZoom(value);
      if (next === zoom) return;
      keepPlace(() => {
        zoom = next;
      });
      redraw();
      onMove();
    },
    setMarks(list, onMark) {
      marks = [list, onMark];
      for (const [index, { element, size }] of slots.entries()) showMarks(element, index, size, list, onMark);
    },
    close() {
      isClosed = true;
      resized.disconnect();
      container.removeEventListener('scroll', onScroll);
      this.clear();
    },
  };
}

function createSlot(index: number): Slot {
  const element = document.createElement('div');
  element.className = 'pdf-page';
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', pdfTexts.page(index + 1));
  const size = { width: 595, height: 842 };
  return { element, size, isMeasured: false, drawnAt: 0, canvas: undefined, text: undefined };
}

function empty(slot: Slot): void {
  slot.canvas?.remove();
  slot.text?.remove();
  Object.assign(slot, { canvas: undefined, text: undefined, drawnAt: 0 });
}

async function writeText(pdf: Pdf, index: number, slot: Slot, signal: AbortSignal): Promise<void> {
  const text = document.createElement('div');
  text.className = 'pdf-text';
  await pdf.writeText(index, text);
  if (signal.aborted) return;
  slot.text?.remove();
  slot.text = text;
  slot.canvas?.after(text);
}
